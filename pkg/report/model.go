package report

import "github.com/benchstat-http/benchstat-http/pkg/report/methods"

// Schema is the identifier of the report model.
const Schema = "benchstat-http/report/1"

// Report is the whole answer: every renderer draws this and nothing else. Pointers are nil, and written as null, where
// a number does not exist; nothing is ever NaN, infinite, or 0 for missing.
type Report struct {
	Schema     string `json:"schema"`
	Version    string `json:"version"`
	PlanSHA256 string `json:"plan_sha256"`
	Title      string `json:"title"`

	Design      Design       `json:"design"`
	Targets     []Target     `json:"targets"`
	Comparisons []Comparison `json:"comparisons"`
	Ranking     *Ranking     `json:"ranking"` // of three or more targets when every pair was compared; else null
	// Methods is every method on three or more targets at once, when asked for.
	Methods     []methods.Row  `json:"methods,omitempty"`
	Findings    []Finding      `json:"findings"` // of the experiment
	Environment map[string]any `json:"environment"`
}

// Design is how the trials were laid out, and the rule of decision fixed before them.
type Design struct {
	Blocked bool    `json:"blocked"`
	Blocks  int     `json:"blocks"`
	Order   string  `json:"order"`
	Seed    *uint64 `json:"seed"`
	Alpha   float64 `json:"alpha"`
	Margin  float64 `json:"margin"`
	Test    string  `json:"test"`
	Metric  string  `json:"metric"`
	// PlannedMetric is the one fixed before measuring, when the report is asked for another.
	PlannedMetric string `json:"planned_metric,omitempty"`
	Stop          string `json:"stop"`
	Family        string `json:"family"` // baseline | all-pairs
}

// Target is the summary of one target's trials.
type Target struct {
	Name     string      `json:"name"`
	URL      string      `json:"url,omitempty"`
	Baseline bool        `json:"baseline"`
	Trials   TrialCounts `json:"trials"`
	RPS      Metric      `json:"rps"`
	// Metric is the figure that decides, when that is not the rate.
	Metric *NamedMetric `json:"metric,omitempty"`
	// WithExcluded is the same over valid and excluded trials together; nil when none was excluded for failures.
	WithExcluded *Metric  `json:"rps_with_excluded"`
	Latency      *Latency `json:"latency"`
	// ServiceLatency is that from the send, of an open loop: Latency then is that from when a request was due.
	ServiceLatency *Latency `json:"service_latency,omitempty"`
	CPU            CPU      `json:"cpu"`
	Tiers          *Tiers   `json:"tiers"`
	Warmup         *Warmup  `json:"warmup"`
	Drift          *Drift   `json:"drift"`
	// Methods is every method on this target, when asked for.
	Methods  []methods.Row `json:"methods,omitempty"`
	Findings []Finding     `json:"findings"`
}

// TrialCounts says how many trials there are, and how many of them count.
type TrialCounts struct {
	Total   int `json:"total"`
	Valid   int `json:"valid"`
	Invalid int `json:"invalid"` // measured to the end, excluded for failures
	Aborted int `json:"aborted"` // aborted, interrupted or truncated: no rps
	// InvalidBecause has the reason of each trial that does not count, in trial order.
	InvalidBecause []string `json:"invalid_because,omitempty"`
}

// Metric is one per-trial figure summarised over trials. Unit: requests/s for rps.
type Metric struct {
	N       int       `json:"n"`
	Mean    *float64  `json:"mean"`
	SD      *float64  `json:"sd"`
	CV      *float64  `json:"cv"`
	Median  *float64  `json:"median"`
	Min     *float64  `json:"min"`
	Max     *float64  `json:"max"`
	Total   *float64  `json:"total"` // Σ requests / Σ seconds
	Geomean *float64  `json:"geomean"`
	CI      *CI       `json:"ci"` // of Mean
	Values  []float64 `json:"values"`
	// TrialNumbers[i] is the trial number that Values[i] belongs to.
	TrialNumbers []int `json:"trial_numbers"`
	// Blocks[i] is the block of Values[i]; absent when the trials were not measured in blocks.
	Blocks []int `json:"blocks,omitempty"`
	// Restarts[i] is the start of the servers that Values[i] was measured on; present when starts are the replicates.
	Restarts []int `json:"restarts,omitempty"`
}

// NamedMetric is a Metric that says what it is.
type NamedMetric struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	Metric
}

// CI is a confidence interval. Method names how it was made ("t", "resolution", …).
type CI struct {
	Level  float64 `json:"level"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Method string  `json:"method,omitempty"`
}

// Latency holds per-trial percentiles with trials as replicates: Value is the percentile of the merged distribution,
// CI the t interval of the logs of the per-trial percentiles.
type Latency struct {
	Kind string         `json:"kind"` // "service" (from the send; a closed loop has no other) | "response" (from when the request was due)
	P50  *LatencyFigure `json:"p50"`
	P90  *LatencyFigure `json:"p90"`
	P95  *LatencyFigure `json:"p95"`
	P99  *LatencyFigure `json:"p99"`
	P999 *LatencyFigure `json:"p99_9"`
	Max  *LatencyFigure `json:"max"`
}

// LatencyFigure is one percentile, in milliseconds.
type LatencyFigure struct {
	ValueMS float64 `json:"value_ms"`
	N       int     `json:"n"` // trials it rests on
	CI      *CI     `json:"ci"`
}

// CPU is processor time per request, in microseconds.
type CPU struct {
	Server *float64 `json:"server_us_per_request"`
	Client *float64 `json:"client_us_per_request"`
}

// Tiers is the answer to "do the trials fall into levels?".
type Tiers struct {
	Metric      string        `json:"metric"` // of the trials that the tiers are of
	Status      string        `json:"status"` // none | suspected | proven | order-unclear | untestable
	Method      string        `json:"method"` // best-split
	R2          *float64      `json:"r2"`
	P           *float64      `json:"p"`
	Dip         *Dip          `json:"dip"`
	Tiers       []Tier        `json:"tiers"`
	ExplainedBy []Explanation `json:"explained_by"` // null without tiers
}

// Dip is Hartigan's dip statistic and its p.
type Dip struct {
	D float64 `json:"d"`
	P float64 `json:"p"`
}

// Tier is one level: its mean, its members, and the interval of its share of trials (Clopper–Pearson).
type Tier struct {
	Mean    float64 `json:"mean"`
	N       int     `json:"n"`
	Share   float64 `json:"share"`
	ShareCI *CI     `json:"share_ci"`
	Trials  []int   `json:"trials"`
}

// Explanation is another figure of the trials, compared between the tiers.
type Explanation struct {
	Metric    string  `json:"metric"`
	LowTier   float64 `json:"low_tier"`  // its mean in the lowest tier
	HighTier  float64 `json:"high_tier"` // its mean in the highest tier
	Separates bool    `json:"separates"` // no trial of one tier has a value among those of another
	Chance    float64 `json:"chance"`    // that one at least of so many figures separates the tiers by chance
}

// Warmup says whether the start of the counted trials was still different from the rest of them.
type Warmup struct {
	Status              string   `json:"status"` // flat | warmed-up | slowing | never-steady | untestable
	Seconds             *float64 `json:"seconds"`
	RecommendedRequests *int64   `json:"recommended_requests"`
	StartRatio          *float64 `json:"start_ratio"` // RPS of the first tenth / RPS of the rest, geometric mean over trials
	CI                  *CI      `json:"start_ratio_ci"`
	N                   int      `json:"n"`
}

// Drift is the trend over the session.
type Drift struct {
	Status         string   `json:"status"` // none | drift | level-shift | untestable
	PercentPerHour *float64 `json:"percent_per_hour"`
	P              *float64 `json:"p"`
}

// Comparison is one candidate against one baseline on one metric.
type Comparison struct {
	Baseline  string `json:"baseline"`
	Candidate string `json:"candidate"`
	Metric    string `json:"metric"`
	Better    string `json:"better"` // higher | lower
	Primary   bool   `json:"primary"`

	Verdict   string `json:"verdict"`    // faster | slower | equivalent | inconclusive
	DecidedBy string `json:"decided_by"` // paired | log_welch | none
	Sentence  string `json:"sentence"`   // the verdict in words
	// Significant and Direction say whether the 1 − α interval excludes no change, whatever the verdict.
	Significant bool   `json:"significant"`
	Direction   string `json:"direction"` // faster | slower | none

	// Resolution is the smallest relative step that the data can show; no spread is taken to be smaller.
	Resolution float64 `json:"resolution"`

	N             [2]int       `json:"n"` // trials (or blocks) of baseline and candidate that the decision rests on
	Ratio         *Ratio       `json:"ratio"`
	ChangePercent *float64     `json:"change_percent"`
	Difference    *Difference  `json:"difference"`
	Equivalence   *Equivalence `json:"equivalence"`
	Welch         *TTest       `json:"welch"`
	LogWelch      *TTest       `json:"log_welch"`
	Paired        *TTest       `json:"paired"`
	MannWhitney   *MannWhitney `json:"mann_whitney"`
	Effect        *Effect      `json:"effect"`

	// Aborts compares how often trials were given up; nil when none of either target was.
	Aborts *Aborts `json:"aborts"`

	SmallestDetectablePercent *float64 `json:"smallest_detectable_percent"`
	TrialsNeeded              *int     `json:"trials_needed"`
	HolmP                     *float64 `json:"holm_p"` // nil with one comparison
	CappedBy                  []string `json:"capped_by"`
	// Methods is every method on this pair, when asked for; of primary comparisons only.
	Methods  []methods.Row `json:"methods,omitempty"`
	Findings []Finding     `json:"findings"`
}

// Aborts is the outcome of trials by target, and Fisher's exact test that both are given up equally often.
type Aborts struct {
	Baseline  Outcomes `json:"baseline"`
	Candidate Outcomes `json:"candidate"`
	FisherP   *float64 `json:"fisher_p"` // two-sided
}

// Outcomes counts the trials that were started; those skipped, or interrupted by the user, are not among them.
type Outcomes struct {
	Aborted   int `json:"aborted"`
	Completed int `json:"completed"`
}

// Ranking says which target is best. It claims one only if that beats every other.
type Ranking struct {
	Best         *string  `json:"best"`          // nil when more than one is not separated
	RunnerUp     *string  `json:"runner_up"`     // the best of the others, where there is a best
	NotSeparated []string `json:"not_separated"` // the targets that no other beats (Holm), the best first
	Sentence     string   `json:"sentence"`
}

// Ratio is candidate / baseline, of geometric means.
type Ratio struct {
	Value float64 `json:"value"`
	CI    *CI     `json:"ci"`
}

// Difference is candidate − baseline of arithmetic means, with its raw Welch interval.
type Difference struct {
	Value float64 `json:"value"`
	CI    *CI     `json:"ci"`
}

// Equivalence is the two one-sided tests against ± margin.
type Equivalence struct {
	Margin float64 `json:"margin"`
	PLower float64 `json:"p_lower"`
	PUpper float64 `json:"p_upper"`
	CI90   *CI     `json:"ci90"`
}

// TTest is a t statistic with its degrees of freedom and two-sided p.
type TTest struct {
	T  float64 `json:"t"`
	DF float64 `json:"df"`
	P  float64 `json:"p"`
}

// MannWhitney is the rank-sum test: U of the candidate, two-sided p.
type MannWhitney struct {
	U float64 `json:"u"`
	P float64 `json:"p"`
}

// Effect holds standardised effect sizes, candidate − baseline.
type Effect struct {
	HedgesG     *float64 `json:"hedges_g"`
	CliffsDelta *float64 `json:"cliffs_delta"`
}

// Finding is something the reader must know: a stable code, and what to do about it.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"` // error | warning | note
	Text     string `json:"text"`
	Advice   string `json:"advice"`
}
