args <- commandArgs(trailingOnly = TRUE)
lines <- if (length(args) > 0) readLines(args[1], warn = FALSE, encoding = "UTF-8") else NULL
lines <- lines[grepl('^\\{"type":"trial"', lines, useBytes = TRUE)]
compared <- 0
differing <- 0

# One number, as reported and as recomputed here. scale is the size below which a difference is rounding.
same <- function(what, reported, recomputed, scale = 0) {
  if (is.na(reported)) return(invisible(NULL))
  compared <<- compared + 1
  ok <- !is.na(recomputed) && abs(recomputed - reported) <= 1e-9 * max(abs(reported), scale)
  if (!ok) differing <<- differing + 1
  cat(sprintf("%-7s %-34s reported %-20.15g recomputed %.15g\n", if (ok) "same" else "DIFFERS", what, reported, recomputed))
}

# A field of a line of the result file, as a number.
field <- function(line, key) {
  m <- regmatches(line, regexec(paste0('"', key, '":(-?[0-9][0-9.eE+-]*)'), line, useBytes = TRUE))[[1]]
  if (length(m) < 2) NA else as.numeric(m[2])
}

# The distribution of latencies of a line: buckets [upper bound, count], in ns.
latencies <- function(line) {
  text <- regmatches(line, regexpr('"total":\\{[^}]*\\}', line, useBytes = TRUE))
  if (length(text) == 0) return(NULL)
  counts <- as.numeric(regmatches(sub(".*\"counts\":", "", text), gregexpr("[0-9]+", sub(".*\"counts\":", "", text)))[[1]])
  buckets <- matrix(counts, ncol = 2, byrow = TRUE)
  list(bound = buckets[, 1], count = buckets[, 2], min = field(text, "min"), max = field(text, "max"), sum = field(text, "sum"))
}

nearest_rank <- function(h, q) {
  x <- q * sum(h$count)
  rank <- if (abs(x - round(x)) <= 1e-12 * max(1, x)) round(x) else ceiling(x)
  max(h$min, min(h$max, h$bound[which(cumsum(h$count) >= max(1, rank))[1]]))
}

figure <- function(line) {
  h <- if (metric %in% c("mean", "p50", "p90", "p99")) latencies(line) else NULL
  q <- c(p50 = 0.5, p90 = 0.9, p99 = 0.99)[metric]
  switch(metric,
    rps = field(line, "rps"),
    server_cpu = field(line, "server_cpu_seconds") / field(line, "requests") * 1e6,
    mean = if (is.null(h)) NA else h$sum / sum(h$count) / 1e6,
    if (is.null(h) || sum(h$count) < 10 / (1 - q) - 0.5) NA else nearest_rank(h, q) / 1e6)
}

# The trials of a target that count: those above, or those of the result file.
trials <- function(name, json, trial, block, restart, value) {
  if (is.null(lines)) return(data.frame(trial = trial, block = block, restart = restart, value = value))
  mine <- lines[grepl(paste0('"target":', json), lines, fixed = TRUE, useBytes = TRUE)]
  mine <- mine[grepl('"valid":true', mine, fixed = TRUE, useBytes = TRUE)]
  all <- data.frame(trial = sapply(mine, field, "trial"), block = sapply(mine, field, "block"), restart = sapply(mine, field, "restart"), value = sapply(mine, figure), row.names = NULL)
  if (all(is.na(restart))) all$restart <- rep(NA, nrow(all))
  all <- all[!is.na(all$value) & all$value > 0, ]
  all[order(all$trial), ]
}

# What a test counts: trials, or where servers were restarted by plan the mean of each start.
units <- function(x, mean) if (all(is.na(x$restart))) x$value else as.vector(tapply(x$value, x$restart, mean))

geometric <- function(x) exp(mean(log(x)))

check_target <- function(name, x, n, mean, sd, median, geomean, low, high) {
  cat("\n", name, "\n", sep = "")
  same("n", n, length(x$value))
  same("mean", mean, base::mean(x$value))
  same("sd", sd, stats::sd(x$value))
  same("median", median, stats::median(x$value))
  same("geomean", geomean, exp(base::mean(log(x$value))))
  if (!is.na(sd) && sd > 0) {
    ci <- t.test(units(x, base::mean), conf.level = 1 - alpha)$conf.int
    same("ci.low", low, ci[1])
    same("ci.high", high, ci[2])
  }
}

# A t test on logarithms as t, df, se and estimate; the spread is never taken to be below the resolution of the data.
log_test <- function(x, y, paired, resolution) {
  if (paired) {
    d <- log(x) - log(y)
    n <- length(d)
    if (sd(d) > resolution) {
      t <- t.test(log(x), log(y), paired = TRUE)
      return(list(t = unname(t$statistic), df = unname(t$parameter), p = t$p.value, est = mean(d), se = sd(d) / sqrt(n)))
    }
    se <- max(sd(d), resolution) / sqrt(n)
    return(list(t = mean(d) / se, df = n - 1, p = 2 * pt(-abs(mean(d) / se), n - 1), est = mean(d), se = se))
  }
  est <- mean(log(x)) - mean(log(y))
  vx <- var(log(x))
  vy <- var(log(y))
  if (vx == 0 && vy == 0) vx <- vy <- resolution^2
  a <- vx / length(x)
  b <- vy / length(y)
  df <- (a + b)^2 / (a^2 / (length(x) - 1) + b^2 / (length(y) - 1))
  list(t = est / sqrt(a + b), df = df, p = 2 * pt(-abs(est / sqrt(a + b)), df), est = est, se = sqrt(a + b))
}

check_test <- function(what, reported, t) {
  same(paste0(what, ".t"), reported[1], t$t, 1)
  same(paste0(what, ".df"), reported[2], t$df)
  same(paste0(what, ".p"), reported[3], t$p)
}

check_comparison <- function(baseline, candidate, decided_by, verdict, better, resolution, m, welch, log_welch, paired, ratio, ci, tost, ci90) {
  cat("\n", candidate$name, " against ", baseline$name, "\n", sep = "")
  x <- candidate$trials
  y <- baseline$trials
  ux <- units(x, geometric)
  uy <- units(y, geometric)
  if (!is.na(welch[1])) {
    t <- t.test(ux, uy)
    check_test("welch", welch, list(t = unname(t$statistic), df = unname(t$parameter), p = t$p.value))
  }
  tests <- list()
  if (!is.na(log_welch[1])) {
    tests$log_welch <- log_test(ux, uy, FALSE, resolution)
    check_test("log_welch", log_welch, tests$log_welch)
  }
  if (!is.na(paired[1])) {
    both <- merge(x, y, by = "block")
    if (!any(is.na(both$restart.x)) && !any(is.na(both$restart.y))) {
      both <- aggregate(cbind(value.x, value.y) ~ restart.x + restart.y, both, geometric)
    }
    tests$paired <- log_test(both$value.x, both$value.y, TRUE, resolution)
    check_test("paired", paired, tests$paired)
  }
  t <- tests[[decided_by]]
  if (is.null(t)) return(invisible(NULL))
  a <- alpha / m
  half <- function(level) qt(1 - level / 2, t$df) * t$se
  low <- t$est - half(a)
  high <- t$est + half(a)
  same("ratio", ratio, exp(t$est))
  same("ratio.ci.low", ci[1], exp(low))
  same("ratio.ci.high", ci[2], exp(high))
  bound <- log1p(margin)
  same("equivalence.p_lower", tost[1], pt((t$est + bound) / t$se, t$df, lower.tail = FALSE))
  same("equivalence.p_upper", tost[2], pt((t$est - bound) / t$se, t$df))
  same("equivalence.ci90.low", ci90[1], exp(t$est - half(2 * a)))
  same("equivalence.ci90.high", ci90[2], exp(t$est + half(2 * a)))
  up <- if (better == "higher") c("faster", "slower") else c("slower", "faster")
  mine <- if (abs(t$est) + half(2 * a) < bound) "equivalent" else if (low > 0) up[1] else if (high < 0) up[2] else "inconclusive"
  if (is.na(verdict)) {
    cat("        verdict not compared: it is capped, and", mine, "by the interval alone\n")
  } else {
    compared <<- compared + 1
    if (mine != verdict) differing <<- differing + 1
    cat(sprintf("%-7s %-34s reported %-20s recomputed %s\n", if (mine == verdict) "same" else "DIFFERS", "verdict", verdict, mine))
  }
}

check_holm <- function(p, reported) {
  adjusted <- p.adjust(p, "holm")
  for (i in seq_along(p)) same(paste0("holm_p[", i, "]"), reported[i], adjusted[i])
}
