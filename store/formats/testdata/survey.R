# Makes one survey of numbers that are made up as survey.sav and as survey.dta, which have to be read alike:
#
#   Rscript survey.R
#
# What is user-missing in SPSS, 98 and 99, is .a and .b in Stata.
suppressMessages(library(haven))
n <- 60
i <- seq_len(n)
scale <- c("Not at all" = 1, "A little" = 2, "Somewhat" = 3, "Much" = 4, "Very much" = 5)
yes <- c(No = 0, Yes = 1)
answers <- list(
  sex = list(1 + i %% 2, c(Man = 1, Woman = 2), "What are you?"),
  drink = list(1 + (i * 7) %% 4, c(Tea = 1, Coffee = 2, Juice = 3, Water = 4), "Which do you drink most?"))
for (k in 1:3) answers[[paste0("bought_", k)]] <- list((i * (k + 2) %/% 3) %% 2, yes, paste0("What have you bought? ",
  c("Tea", "Coffee", "Juice")[k]))
for (k in 1:4) answers[[paste0("like_", k)]] <- list(1 + (i * k + i %/% 5) %% 5, scale, paste0(
  "How much do you like it? ", c("Taste", "Price", "Smell", "Colour")[k]))
make <- function(stata) {
  d <- data.frame(id = i, weight = round(0.5 + (i * 37 %% 101) %% 100 / 100, 4))
  attr(d$weight, "label") <- "Weight"
  for (name in names(answers)) {
    a <- answers[[name]]
    x <- as.double(a[[1]])
    none <- name != "sex" & (i * 13) %% 17 == 3
    refused <- name != "sex" & (i * 5) %% 23 == 4
    x[none] <- if (stata) tagged_na("a") else 98
    x[refused] <- if (stata) tagged_na("b") else 99
    x[name == "drink" & i %% 29 == 0] <- NA
    labels <- c(a[[2]], "Don't know" = if (stata) tagged_na("a") else 98, Refused = if (stata) tagged_na("b") else 99)
    d[[name]] <- if (stata) labelled(x, labels, label = a[[3]]) else
      labelled_spss(x, labels, label = a[[3]], na_values = 98:99)
  }
  d$age <- 18 + (i * 31) %% 63
  attr(d$age, "label") <- "How old are you?"
  d$interview <- as.Date("2026-03-02") + i %% 20
  attr(d$interview, "label") <- "Date of the interview"
  d$why <- paste("because of", letters[1 + i %% 26], i)
  attr(d$why, "label") <- "Why do you say so?"
  d
}
write_sav(make(FALSE), "survey.sav")
write_dta(make(TRUE), "survey.dta", version = 14)
