// Package num holds what every statistic of package analysis and its sub-packages rests on: the refusal of bad input,
// moments that survive large offsets, type-7 quantiles, and the normal, t, χ², F, beta and binomial distributions to
// about 12 digits in either tail.
package num
