package guess

import "strings"

// beginOtherwise divides columns that nothing but a scale, or what others have in common, holds together where their
// names begin otherwise, as OWNCAR, OWNBIKE, OWNTV, OWNFARM, INCPAY, INCRENT, INCPENS and INCOTHER do: four or more
// begin with the same three letters, in one word each and without a number, and so do the next ones. There are at least
// two parts, or there are none.
func (g *guesser) beginOtherwise(members []member) (parts [][]member) {
	const least, letters = 4, 3
	begun := ""
	for _, m := range members {
		code := g.columns[m.at].code
		if strings.ContainsAny(code, digits+joints+" ") {
			return nil
		}
		common := commonPrefix(begun, code)
		if len(parts) > 0 && len(common) >= letters {
			begun = common
			parts[len(parts)-1] = append(parts[len(parts)-1], m)
			continue
		}
		if len(parts) > 0 && (len(parts[len(parts)-1]) < least || len(common) > 0) {
			return nil
		}
		begun = code
		parts = append(parts, []member{m})
	}
	if len(parts) < 2 || len(parts[len(parts)-1]) < least {
		return nil
	}
	return parts
}
