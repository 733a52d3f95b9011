// Package demo generates a realistic survey of any size from a seed: a [survey.Source] to try everything with before
// there is a survey of one's own, and to test and measure with. Eight quarterly waves in fourteen markets ask some
// seventy questions about media, devices, shopping, sport, food and travel; a second namespace, the shopper recontact,
// is built on the first and has its own respondents and weights. Brands are letters, and nobody is meant by anybody.
//
// # What can be relied on
//
//   - The same seed and number of respondents give the same respondents, byte for byte, on any machine and with any
//     number of workers. All arithmetic that decides an answer is on integers. The seed decides who answers what; the
//     survey itself is always the same, as [Demo.Describe] tells it.
//   - A respondent does not depend on which waves are streamed: Config.Only gives the same respondents as the
//     whole does.
//   - In each fieldwork (wave and location) the weights of a namespace sum exactly to the market's population;
//     their decimals differ between waves.
//   - Profile questions are answered by everyone, with exactly one datapoint each.
//   - Coverage is ragged: questions asked in some waves or locations, items in some markets, markets that
//     join late or leave a wave out, a question reworded between waves (assistant_a and assistant_b). Where it is
//     declared, answers agree with it; elsewhere it can be derived from them.
//   - Answers hang together through latent traits (age, income, tech-savviness, sportiness …), which differ between
//     markets and drift over waves, so that indexes mean something.
//
// # How answers are made
//
// Gender and age come from quotas, which is what makes the weights add up. The other traits are drawn: about normal,
// some pulled by others. An answer is then drawn from a logistic model: each datapoint has a share of people and
// loadings on a few traits, a bias of its own per market and wave, and a random number of the respondent's own. See
// [survey.Source] for the stream, and [Demo.WriteCSV] and [Demo.Codebook] for the same survey as files.
package demo
