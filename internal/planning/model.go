package planning

// Schema is the identifier of the plan model.
const Schema = "benchstat-http/plan/1"

// Plan is the whole answer. Pointers are nil, and written as null, where a number does not exist. Effects, margins and CVs
// are shares (0.01 is 1 %).
type Plan struct {
	Schema  string  `json:"schema"`
	Version string  `json:"version"`
	Alpha   float64 `json:"alpha"`
	Power   float64 `json:"power"`
	Margin  float64 `json:"margin"`
	Unit    string  `json:"unit"` // what the sizes count: trial | restart

	Spread *Spread `json:"spread"` // null when neither a CV nor a pilot is given
	// Difference and Equivalence are of the effect asked for and of the margin; null without a spread.
	Difference  *Sizes      `json:"difference"`
	Equivalence *Sizes      `json:"equivalence"`
	Resolution  *Resolution `json:"resolution"` // of the number of trials asked for
	Table       []Row       `json:"table"`
	Restarts    *Restarts   `json:"restarts"` // of a pilot with several trials per restart
}

// Spread is how much measurements vary, on the scale of logarithms.
type Spread struct {
	Source  string         `json:"source"` // given, or the name of the pilot
	Trial   SD             `json:"trial"`  // of one target's trials (restarts)
	Ratio   SD             `json:"ratio"`  // of the ratios within blocks
	Targets []TargetSpread `json:"targets,omitempty"`
}

// SD is a standard deviation, as the CV that a log-normal figure with it has.
type SD struct {
	CV float64 `json:"cv"`
	// N is how many values the estimate is worth (degrees of freedom + 1); null when it was given or assumed.
	N *int `json:"n"`
	// Upper is the upper 90 % limit of CV, which the plan rests on; null when CV was given or assumed.
	Upper *float64 `json:"cv_upper_90"`
	// Assumed says that the ratio's is √2 times that of the trials, as if the trials of a block had nothing in common.
	Assumed bool `json:"assumed"`

	log float64 // what is planned with
}

// TargetSpread is one target of a pilot.
type TargetSpread struct {
	Name string  `json:"name"`
	N    int     `json:"n"`
	CV   float64 `json:"cv"`
}

// Sizes is what one effect needs: trials per target when targets are measured apart, and blocks.
type Sizes struct {
	Effect  float64 `json:"effect"`
	Apart   *int    `json:"apart"`
	Blocked *int    `json:"blocked"`
}

// Row is one effect of the table. Equivalence is that within a margin of the effect's size, for a true ratio of 1.
// LargestCV is the CV of trials (apart) and of block ratios (blocked) at which the number of trials asked for finds it.
type Row struct {
	Effect      float64 `json:"effect"`
	Difference  *Sizes  `json:"difference"`
	Equivalence *Sizes  `json:"equivalence"`
	LargestCV   *Pair   `json:"largest_cv"`
}

// Pair is one number for targets measured apart and one for blocks.
type Pair struct {
	Apart   *float64 `json:"apart"`
	Blocked *float64 `json:"blocked"`
}

// Resolution is what a number of trials per target (blocks) shows: the smallest difference found with the power of the
// plan, and the smallest margin within which equal targets are called equivalent; in multiples of the CV, of trials
// or of block ratios, and as shares when that is known.
type Resolution struct {
	Trials          int   `json:"trials"`
	DifferenceInCV  Pair  `json:"difference_in_cv"`
	EquivalenceInCV Pair  `json:"equivalence_in_cv"`
	Difference      *Pair `json:"difference"`
	Equivalence     *Pair `json:"equivalence"`
}

// Restarts is how the variance of a pilot is split, and how many trials each restart should have. Costs are seconds.
type Restarts struct {
	Restarts          int      `json:"restarts"` // of all targets together
	Trials            int      `json:"trials"`
	CVBetween         float64  `json:"cv_between"`
	CVWithin          float64  `json:"cv_within"`
	RestartCost       *float64 `json:"restart_cost_seconds"`
	TrialCost         *float64 `json:"trial_cost_seconds"`
	TrialCostMeasured bool     `json:"trial_cost_measured"`
	// OptimalTrials is null without costs, or when restarts do not vary beyond their trials.
	OptimalTrials *int `json:"optimal_trials_per_restart"`
}
