// The saved audiences, by folders: those of the user, and those that others share.
import { many } from "../lib/figures.js";
import { html } from "../lib/html.js";
import { foldersOf, savedAudiences } from "../lib/saved.js";
import { useAnswer } from "./answer.js";
import { refusalNotice } from "./notice.js";

// choose(audience) is called for the one that is chosen; more(audience, user) may give buttons that stand behind each.
// The list is read again whenever turn is another.
export function SavedList({ choose, more, current, turn = 0 }) {
  const { data, refusal, again } = useAnswer((signal) => savedAudiences(signal), [turn]);
  if (refusal) return refusalNotice(refusal, again);
  if (!data)
    return html`
      <p class="waiting" role="status">Reading the saved audiences …</p>
    `;
  const own = data.audiences.filter(({ user_id: user }) => user === data.user);
  const others = data.audiences.filter(({ user_id: user }) => user !== data.user);
  const groups = [...foldersOf(own), { name: "Shared by others", audiences: others }];
  const shown = groups.filter(({ audiences }) => audiences.length > 0);
  if (shown.length === 0)
    return html`
      <p class="faint">None is saved yet. Build one, give it a name, and it stands here for you in every view.</p>
    `;
  return html`
    <div class="saved">
      ${shown.map(
        ({ name, audiences }) => html`
          <section key=${name}>
            ${
              (shown.length > 1 || name !== "In no folder") &&
              html`
                <h3>${name}</h3>
              `
            }
            <ul class="questions">
              ${audiences.map(
                (audience) => html`
                  <${One}
                    key=${audience.id}
                    ...${{ audience, choose, current }}
                    more=${more?.(audience, data.user)}
                  />
                `,
              )}
            </ul>
          </section>
        `,
      )}
      ${
        data.left !== undefined &&
        data.left < 20 &&
        html`
          <p class="warning">There is room for ${many(data.left, "more audience")} only.</p>
        `
      }
    </div>
  `;
}

const closed = {
  inaccessible: "your key does not grant all of it",
  containsUnknownData: "the survey does not have all of it any more",
};

function One({ audience, choose, current, more }) {
  const { id, name, description, shared, permissions } = audience;
  const why = closed[permissions.audience_overall];
  return html`
    <li class=${why ? "closed" : ""}>
      <button
        class="question"
        disabled=${Boolean(why)}
        aria-current=${id === current ? "true" : null}
        onClick=${() => choose(audience)}
      >
        <span class="name">
          ${name}${
            shared &&
            html`
              <span class="faint">shared</span>
            `
          }
        </span>
        <span class="faint">${why ?? description}</span>
      </button>
      ${
        more &&
        html`
          <span class="more">${more}</span>
        `
      }
    </li>
  `;
}
