// Package guess makes a codebook for a survey file that has none: it guesses what no file says, such as which column is
// the weight and which are the rows of one grid, from names, labels and the values that stand there.
//
// # What it works on
//
// A [File] is a table and what its format says about the columns. SPSS files say much (labels, missing values, sets),
// CSV files only names; the rules are the same for all. [Codebook] reads the table once and looks at every value, so
// that a list of values is whole and no number lies outside the bands; it keeps a bounded part of each column, whatever
// the number of rows.
//
// # What it makes
//
// A [Result] has the codebook, to be used as it is or written out, edited and given back, and how each column was read
// and why. No guess is silent: each that bears on figures is one of [Result.Notes]. [Options] overrule it.
//
// # The rules, in the order in which they apply
//
//   - The respondent's id has the name of one and a different value in every row; failing that, the row's number is
//     used.
//   - The weight is what the file says, else the column for which most speaks, if that is enough: its name and label,
//     a mean near 1 or a total of many people, decimals, few values of which many respondents share each, a value for
//     everyone; a body's size beside it, whole numbers, labels and a total of more people than there are speak against
//     it. What comes near is not used and named as a question. No respondent is lost by a guess.
//   - Wave and location have the name of one and few different values; codes labelled with the years of the survey
//     are waves, and a location is known by answers that are names of places or by the question where somebody
//     lives, too. All that occur are listed. Waves named after periods get their dates. Where no column is that of
//     waves, the column with the dates of the interviews is, if these go on for months and everyone has one: by
//     month for two years, by quarter for six, else by year. Whether days or months come first, a day above 12
//     decides, or that dates go on from row to row in one order and in the other do not. Where nearly all dates are
//     in one period and a few came late, fieldwork was done once, and the report asks.
//   - Codes from -1 to -5 are no answers where their labels say that a question was left out, skipped or not reached,
//     and without labels where several columns have them beside answers from 1 on. Numbers around zero are a scale.
//   - Sets that the file declares are multiple choices, unless respondents gave the same answer again and again in
//     their columns, or all answers in an order of their own: those are rows of a grid.
//   - Families are columns whose names have a stem with the question's number in common (Q2_1, q5a, I_1_P54), whose
//     headers have the same code or question before the option, or whose questions are divided into the same words and
//     others. A word alone, or numbers that number questions of several kinds, hold together only three columns or
//     more with the same answers. Without any of that, columns that stand together are one question where their words
//     go on from one before ("… the police?"), where they are steps of a known scale or begin with their places on
//     one, where the same respondents, and not all, rated each of many things, where statements or titles have a
//     number on one scale each, where their numbers begin with 1, and where each holds its own name or nothing.
//     Options called question/option stand anywhere, where another column is called as the question is. The same words
//     under each of several names are one question asked of as many things.
//   - Columns that take turns, as those of what is asked of one thing after the other do, and answers with what they
//     were turned into beside each, are rows of one grid by the words that their questions begin with, by numbered
//     names, by the last words of names, which take turns too, or by the steps of a scale that is known. What tells
//     the order in which something was shown, or how long a page took, is no answer, and the groups of a form in front
//     of its questions' names are none of theirs.
//   - Items of an instrument are the rows of a grid, whatever their words have in common: they stand together, are
//     numbered from 1 on behind a name, and have the same labels or the steps of one scale, of which few respondents
//     need not have taken all. Where instruments were given at several times, each is one of its own at each time.
//   - What is numbered may be asked again: calm1_2 is calm1 a second time where each has such a namesake, and the
//     second measurement a grid of its own. Columns with the same letters and the same ending around a number that
//     goes up belong together, but for endings that number rows, as in Q6_Row1. Items whose words are numbered on from
//     one construct to the next are one inventory.
//   - A code, a number or a word in front of the option, or the question's code behind it, holds columns together,
//     too; numbers that begin again under each heading do not. What was asked of each of many things, one after the
//     other, is a question each, by the words that the names end with. Columns with the very same words as answers
//     are one grid, and those with one text of their own in each one multiple choice, where they stand together.
//   - Of a family, columns that hold one positive answer beside "Not selected", 0, -1, nothing, dashes or no are a
//     multiple choice, those with one label or the option's number in each, too, and those with the same labels or
//     mostly the same few values a grid, with those that few were asked and in which not all of these occur; never
//     others. Amounts per option are numbers, all of them, whatever each happens to hold.
//   - What is left is a multiple choice where fields hold several answers, a number in bands where it holds many
//     numbers, a single choice where it holds few values, and otherwise not used: dates, free text, numbers that are
//     each respondent's own, and codes of many places or people. Several answers in a field are known by what stands
//     between them, and by pieces that occur again and again in one order, or where the question says that several
//     may be chosen; commas within brackets divide nothing. Nothing divides answers where the question asks for one,
//     where commas stand in the answers of hardly anyone among many, or where a mark stands behind each answer and
//     between no two. What respondents wrote beside those is an answer, too. Where a column for each of them stands
//     beside, the field is not used.
//   - Few whole numbers are a number where the question asks how many or the name tells of a total, if they go further
//     than lists of answers do, and where all are fives or tens; but not those of groups of ages or amounts. What was
//     written beside an answer, under its name with a word behind it, is not used.
//   - Answers in words come in their order: on a scale that is known, by degrees of one word and of its opposite or of
//     two words, as ranges of numbers in one unit, of which the first and the last may be open, or by how far somebody
//     got in learning. Units of time are one unit. Numbers of which only some have labels come as numbers.
//   - Items with questions that follow up on each, as E1, E1a, E1b, E2, E2a, E2b, are a grid, and so is what was
//     asked of each. Names that a program cut to eight letters go on where they would if they were whole. Where -1
//     stands beside 0 and 1 in three columns or more, of other respondents in each, it is the other end of a scale,
//     and no option.
//   - Statements whose numbers begin again are a grid under each heading, unless all parts are as long as each other.
//     Columns between two words each, as difficult/easy, many things that few respondents rated, questions that begin
//     with the same two words eight times or more, and the items of an inventory that were sorted by what they measure
//     are one grid. Rows whose numbers begin and end one higher than those of all others are none of it. One question
//     that was asked of several sets of things, with others between, is a question for each set.
//   - Columns that hold a number of their own each, beside one that all share, under one list of labels are options; so
//     are pieces in one field that were given alone, too, however few respondents gave several.
//   - Few numbers are a number where half of the columns with the same word before a number hold many, and where a
//     short name says in what they are counted, unless they go from 1 on as those of groups do. A number that is
//     too large to be counted beside others is no answer.
//   - Labelled codes with commas between them are several answers, and only commas without a space behind them
//     divide answers where these do so again and again. Whole sentences that three in five gave are the answers of a
//     question.
//   - Scales in words are known in the languages of many surveys; what only checks attention stands between rows
//     without dividing them, and places from first to last are rows of a grid.
//   - Yes and no may answer anything. A column that says who was asked those behind it, which a longer stem then
//     holds apart from other rows, one of three that was computed from the two others, and columns that only a word
//     holds together in a file that writes options as question/option are questions of their own. Columns with no
//     word in common are options where their labels say the same in words of its own and the same with "not" before
//     it, where the last of them is called "other" or "none", and where they are called as things of a catalogue
//     are, by letters and numbers.
//   - Lines in a field are several answers where the same lines stand in it again and again. So are lists as programs
//     write them, ["a", "b"], and what strokes, plus signs and the like divide where three answers or more stand alone
//     and beside others in one order, or four in any. Pieces of which one never stands without the other are one
//     answer, as "Yes, always". However few respondents there are, commas without a space behind them divide answers
//     that stand in several values, before others and behind others, and so does what divides five lists of three
//     pieces or more that stand in alphabetical order. Where questions say that several answers may be chosen, and one
//     and the same divides those of most, one that says so is a multiple choice though nobody chose two.
//   - Sections of a form before a stroke, by their names or their titles, tell nothing of what belongs together: they
//     are known by columns of several kinds behind them. Options of a form stand behind a stroke, in names or in
//     labels, or behind a point where the column with all that was chosen holds them; where they are words, its whole
//     numbers from 0 on are counts.
//   - What was mentioned first, second and third may have a code for who had nothing more to say. Up to 25 columns of
//     which nothing but numbers tells the order hold such mentions where respondents gave an answer of their list in
//     two of them a fifth as often at most as they would if they had answered each without regard to the others, and
//     numbers without labels a twentieth. Of these fewer respondents tell enough where hardly anybody has a second
//     answer without a first, and less than half of those who gave one gave another; fewer still beside two questions
//     that are called alike and of which that is sure. So do words in columns without a header behind one with it, if
//     nobody gave an answer twice or a second without a first.
//   - The last digit of names is an option's where it begins at 1 anew behind each question's number, and all of a
//     question have the same answers: B191 to B195, B201 to B206. So are the last two where options count past 9.
//     The same options under one word after the other, as P15_phone_calls and P15_tablet_calls, are a question of each.
//     Columns of 0 and 1 whose names are put together in the one before them are options.
//   - Three columns of yes and no or more that stand together, of which nearly everyone said yes to one and hardly
//     anyone to two, are the answers of one question, whatever they are called: a sample of rows tells.
//   - Five columns of 0 and 1 or more that stand together, and nothing else holds together, are the answers of one
//     question if the same respondents were asked, also if nobody chose one of the five, or a few behind the last; so
//     are five of yes and no, or of 1 and 2, that are called by words. Columns of one text each that is their name are
//     options though one respondent gave each, and so are ones under the same beginning of names though most are empty.
//   - What is left and holds steps of a scale is judged: each column with the one before it, by some 150 clues about
//     their names, their words, their answers, who gave these, and the same of the columns around. How much each says
//     was learnt from the truths in testdata/corpus (together.forest, written by TestLearn). In files that nothing was
//     learnt from 94 % of the pairs are judged right. Where words tell what is asked or answered, columns are rows of a
//     grid that are two thirds likelier to be of one question than not: of all pairs as likely as that, 3 % are wrong.
//     Numbers under bare names have to be nearly four times as likely: 2 % of those are wrong. Three columns of yes and
//     no or more, of which rules found nothing, are options where it is more than four times as likely and their names
//     do not begin alike, or words tell of them.
//   - Codes such as -99 among answers in words are no answers, and what Qualtrics, SoSci Survey, LimeSurvey,
//     SurveyMonkey, SurveyXact, easyfeedback and EFS Survey write beside the answers is none: places on the page,
//     browsers, times of pages; nor are three columns or more that are called by a word for time and a place in the
//     questionnaire. A short word in capitals beside nothing but 0 and 1 in ten columns, and alone in three, says that
//     nothing was asked.
//   - Where the tool says of each column which question it is of, as the row of Qualtrics does that tells where columns
//     were imported from, columns of one question are its rows or its options.
//   - Columns that stand together under the same label are one question where the label ends with what each is about
//     in brackets, and where they are options. What nearly all names of a file begin with, as s24_, numbers no
//     question.
//   - Options or rows called "row - column", each once, are the cells of a table: answers on a scale are a grid of
//     each column, options a multiple choice of each row. Five nines or more below zero are no answer; nor is what a
//     few wrote in words, or with a unit, where nearly all others gave numbers.
//   - Where some questions have numbers of one or two digits, two digits more are those of its rows: P6, P901, P902.
//     Where Q4.2 is a question, and Q4.7_1 to Q4.7_3 are rows of one, Q4 is neither but a block of the form, unless a
//     question has a column of its own beside its rows.
//   - "Quoted" beside "not quoted" and the like are options whatever their columns are called, as far as the same
//     respondents saw them; so are columns that hold one answer each, another in every one, of a list that all have as
//     labels, and those of SoSci Survey that hold 2 where an option was chosen. "Not shown", "not answered" in three
//     columns or more are no answers.
//   - Labels that name no more than what stands beside an answer, as 99 "no answer" does, leave numbers numbers, and
//     marks out of ten a scale. Ten questions of an inventory or more that are numbered from 1 on, with all steps of
//     one scale of numbers below each, are a grid. Mentions may have their number in brackets behind the question.
//   - Three rows or more that others answered than the three or more before them, as a sample of respondents tells,
//     are a grid of their own.
//   - Where the same two to five are asked of each of eight things or more that are numbered by sections, each is a
//     grid of all things of a section.
//   - Numbers from -6 to -999 that stand in ten columns or more of a file, of which none has another number below
//     zero, are no answers; nor are 999 and the like where they stand far from all other numbers in four columns or
//     more. What stands beside 9999, such as 9996 and 6666, is no step of a scale.
//   - Letters for when a questionnaire was given stand in front of its items, SATS_Pr_Q01, where many items follow one
//     another. What was asked of each of three things or more that have numbers, as Skill_2_Importance and
//     friendliness_s2, is a grid of its own unless the number is that of a time or a part, or the answers are no more
//     than yes and no. What stands in front of thirty names with questions' numbers of several kinds, as fes4_ in
//     fes4_Q04a, is the survey's.
//   - Columns with one label each, all of them different, under a word and numbers, and three or more side by side that
//     hold 1 and nothing else, and that nothing else holds together, are options. Ratings side by side may lack steps
//     between the first and the last that two in a hundred took at the most, and a row between two others by their
//     numbers all steps that hardly anyone took in another.
//   - Words that name the section of the questionnaire in front of nearly all names, as in health_sleep and
//     work_hours, tell nothing of what belongs together: they are known by questions of several kinds behind the
//     same word. Columns of codes that a word in front holds together go as far as each other where many answered.
//   - Columns that hold nothing but one mark, such as an x, and stand together are one multiple choice up to "other",
//     whatever they are called. A column is an option, too, where next to nobody has another answer than the option in
//     its name, and where its label ends with the one number that it holds.
//   - The kind of a question in front of its words, as in [single-select], is none of these. Questions of LimeSurvey
//     that nobody named (G2Q00004) are of one column each in a file whose rows have brackets.
//   - Ages and incomes that are few numbers from 0 or 1 on are codes of groups, but not those of children. Numbers
//     beside which codes such as 888 have labels, whatever these say, are counts if they go beyond a scale or the
//     question asks how many. Sentences that were rated from 1 to 7 at most are no amounts, whatever words they hold.
//   - A question to which three of four gave one of up to twenty answers is a single choice, whatever the others
//     wrote, unless some answer was written in two ways. Whole sentences are a list of answers, too, where there are
//     at most twelve and nearly each was given often.
//   - True and false as programs write them are options where 0 and 1 are. A 2 says no where nobody has the 0 that is
//     labelled so. A column between two numbered ones that has the number lacking there goes on with them, whatever
//     its letters are.
//   - Letters from A on that no question's number holds together are answers of each question's own. So are numbers of
//     whole questions that begin with different words and go to different lengths, and what stands behind a word that
//     stands before "gender" and the like, too. The letters a, b, c behind the name of a question hold together what
//     was asked those who said yes there, whatever was asked between.
//   - Amounts under one word, whose names are the same but for numbers and whose words are no whole questions, are
//     amounts where some columns hold few; so are counts asked in the same words. Counts up to ten beside codes such
//     as 88 that say something of their own are rows where others have the same.
//   - Small letters behind a capital and a number, as in A4pond, hold together what that question holds, but where the
//     same words stand behind other numbers. Letters from A on do so although a column is called as what they follow:
//     it holds how many were chosen. 100 stands beside the answers where 99 does, far from all others.
//   - Under a word that holds many rows with the same answers, a few under a longer one are rows of these. What stands
//     in a file several times, with numbers behind its names, is a part of a form that was filled in as often, and a
//     grid each time. Baseline and endline are two questions, and so are two of yes and no in words under one.
//   - An option that was put in other words stands behind those that words hold together, where its name begins alike.
//     Labels may be those of the first option alone. Whole questions are none of the options beside them.
//   - Kinds of place, as "rural area" is, are no location, nor is under "location", "area" or "zone" what is written
//     in small letters, nor what begins with a yes or a no or with words for how much. Codes without labels are one
//     under one word, as "Municipality"; postcodes and codes of a state are no numbers, however small they are.
//   - Codes of two digits below zero, as -99 is, are no answers where ten columns or more have them and nothing else
//     lies below zero but the steps of scales around it. 11 is none beside 1 and 2 that alone have labels, where hardly
//     anybody has it: a key was pressed twice. Places that things were given may stand beside numbers with a label.
//   - How far each instrument came, as REDCap writes it, is no question.
//   - Where one column under a number holds one value, and two or more beside it nothing, they are options: whoever
//     answers a question in rows answers each of them. The number of an option in another's column is one that somebody
//     mistook. What one half of the respondents was asked may stand by turns with what the other was: the same, under
//     the same names with a letter behind them.
//   - Rows without a heading that stand in the order of letters are divided where that begins again. -9999 is no
//     answer where it is the only number below zero.
//   - Numbers behind a letter that go up and down in twenty columns or more with the same four steps are those of
//     items of a bank, q_253 and q_952. Items may be numbered behind their questions, c82cope1 and c83cope2, and
//     things that take turns before what was asked of each, Video_1_known. Rows may be called A, B, C and so on.
//   - Five columns or more of 0 and 1 whose names are words that begin with the same five letters or more are options.
//     "Other" is one among those that hold a yes, whatever stands there, if it is the same in every row.
//   - The same numbers in all columns of a question, most of them above twelve and next to each other, are steps that
//     were numbered anew; so are they in columns side by side that a word and a number call. One number with a
//     fraction for up to eight answers in a hundred is their mean.
//   - Questions of a section that is named behind their numbers, as in p14_work and p15_work, are no amounts for the
//     sake of others if one of them holds yes and no. What LimeSurvey calls by a question's code and "Time" behind the
//     time of a group is none, and F3[SQ001comment] is what was written beside the option F3[SQ001].
//   - Questions asked three times in one order, dose1, effect1, days1, dose2 and so on, are a grid each, unless all
//     have the same answers. Columns under the number of a section alone, or that are judged to be one question, are
//     none where their words begin differently and their numbers go to different lengths. What goes on from an option,
//     of those who said yes, divides no columns of 0 and 1. 999 beside 0 and 1 is an answer where another column under
//     the same word has it more or less often. Columns that nothing but a scale holds together are two questions where
//     four or more begin with the same three letters, and the next ones with others. Counts beside which nothing but
//     codes below zero has a label are numbers. The units and strata that respondents were drawn from are no answers.
//   - Columns whose names only number them, V1, V2 and so on, are called by their labels where these are sentences, or
//     a question and its row, and those whose names are sentences with points or lines for the spaces by the words of
//     these. All that is told of them names them as the file does.
//   - Nine, eight and seven beside nothing but 0 and 1 are codes for who did not know or answer, in columns numbered
//     or lettered under one stem. What is called as an option with a number is, with "other" right behind that, was
//     written beside it.
//   - Columns called X_1 and X_2 are two questions, in files with eight such pairs or more, of several kinds: they
//     were asked before and after. Columns with one more word behind a stem, and the endings of the others behind
//     that, are those others asked of something else, as partner_values_money is beside partner_money.
//   - What nothing but a scale holds together is divided where names count anew, as trust_1, trust_2, risk_1 and
//     risk_2 do. Steps of a scale may be numbers with words for their ends and beside them, sixteen in all.
//   - Letters from A on behind the same word in capitals, as in REASONA and REASONB, are rows or options of a
//     question.
//   - Labels of 240 bytes or more were cut: two options of a numbered question may have the same.
//   - A letter at the end of names that all hold it, as in EC5AX, EC5BX and EC5CX, is an option of three questions. Two
//     or three whole questions of yes and no are questions of their own, and so are one or two columns beside options
//     that are numbered from 1 on under their word. What browsers say they are is no answer.
//   - What was asked of each of eight things or more, with other columns between, and names that end with it, is a
//     question of these things, if the same things were asked something else, too. So it is of each of five things
//     that stand one after the other.
//   - A group that a form repeats, as in sale.1..buyer and sale.2..buyer, makes a grid of each question with few
//     answers, and numbers of the others, however few came to the last. Three columns with one list of more than
//     thirty labels are rows of a question, and so are those whose labels end with its number, as in "Asian (Q5)".
//   - A letter without a label beside labelled numbers, or five without labels, is no answer where it stands in ten
//     columns or more.
//   - Points in numbers part a section from its questions and these from their rows, as Q9.4 and Q9.5.1 do where some
//     questions have rows and others have none. Four columns or more that stand together and hold one text each,
//     another in each, are options, whatever they are called.
//   - The last two digits of names are those of rows where nearly all names have as many and count from 01 on behind a
//     question's number: F31601 to F31605. The places of the first few of six things or more are a grid, though some
//     went on: each place was given nearly as often as any other, and most respondents gave so many. Whether and how
//     much of each thing, as in 22_1a and 22_1b, are two questions. Of three weights of a kind each none is taken.
//   - A list of four columns or more that stands in the file again, under the same names in the same order with the
//     next number behind each, is a grid each time, though its codes go a step less far in one column than in the
//     next. Of things and questions in letters and numbers, as in OP12Q3, each question is a grid of the things,
//     where what was asked of one is of several kinds. Eight columns of 0 and 1 or more that are called as others of
//     several kinds are, with a few letters in front, tell what was done to these, and are left out. Items
//     that stand alone among those of five constructs or more are a grid, too. Options in 0 and 1 may stand each
//     beside its amount, M1_2_dummy beside M1_2.
//   - 98 and its like stand for no answer beside few whole numbers only where all others lie below: amounts around a
//     hundred have it among them. What is called fish2code holds codes.
//   - Three columns or more that are called as people of some ages are, as residents_6_to_12 and female_infant, and
//     hold whole numbers from 0 on are numbers: how many of them there are.
//
// # What is not recognised
//
// A file without labels tells nothing of its codes, and a name of one word nothing of its question. These stay apart
// or are read as something else, and want to be told (--grid, --multi, or a codebook):
//
//   - what was mentioned first and second where each has words of its own ("the top thing …", "the second most …")
//     or words cut short, and several answers in one field of which only a few respondents gave more than one;
//   - grids of two or three rows whose questions have no beginning in common, and items of an inventory whose
//     answers differ; two or three questions in a row with the same words at the beginning are held together,
//     whether they were one question or not;
//   - what was asked in several waves whose columns stand side by side, as calm_1 to calm_4: they become one grid;
//   - options whose names have nothing in common and hold no more than yes and no, or, if they are less than five, 0
//     and 1, of which many chose two and none of which is called other or none; several such questions in a row are
//     held together as one;
//   - an option such as "refused" whose name is made otherwise than those of the others, and what respondents wrote
//     beside "other" where the same few words stand in most rows;
//   - columns that repeat others: answers with their scale turned round, in words and as codes, or put into groups;
//     each becomes a question;
//   - identifications, positions and times under names that survey tools do not use, which are taken for numbers or
//     codes; places that are codes without labels.
//
// testdata/conventions has tables as survey tools write them, with how each column is read; a rule has there what it
// must hold together and what it must leave apart.
package guess
