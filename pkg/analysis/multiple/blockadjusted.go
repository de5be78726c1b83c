package multiple

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Observation is one trial of a blocked experiment.
type Observation struct {
	Block, Treatment string
	Y                float64
}

// BlockContrast is the difference of one treatment to the first, free of block effects. Its Interval method gives the
// t interval; N1 and N2 count the values of the treatment and of the first.
type BlockContrast struct {
	Treatment string
	analysis.TTest
}

// BlockFit is the additive model of blocks and treatments, fitted by least squares.
type BlockFit struct {
	Contrasts []BlockContrast // every treatment after the first, minus the first
	DFResid   int
	Sigma2    float64 // residual variance
	F, P      float64 // of the treatments after the blocks, with len(Contrasts) and DFResid degrees of freedom
	// MSBlock is the mean square of blocks, VarBlockRaw = (MSBlock − Sigma2)/values per block the variance between blocks
	// by moments and VarBlock that but at least 0. All NaN unless there are two blocks and every block holds every
	// treatment equally often.
	MSBlock, VarBlockRaw, VarBlock float64
}

// BlockAdjusted estimates the differences between treatments (targets) when trials ran in blocks, also incomplete ones,
// and tests H0: no treatment differs. Model: y = block + treatment + error, both effects fixed and additive, errors
// independent normal of one variance; contrasts are treatment − levels[0], in the unit of y (Yates 1940).
//
// Block means are projected out and the treatments solved from the reduced normal equations; DFResid = N − blocks −
// treatments + 1. It must agree with R's lm(y ~ block + treatment) and anova() of it. With complete blocks of two it is the
// paired t test; with one block the pooled two-sample test or one-way ANOVA; with complete balanced blocks the contrasts of the
// model with random blocks are the same.
//
// A block with a single treatment is legal and only informs the variance. The variance is pooled over all targets:
// a noisier target gets too many false alarms, hence paired t tests and Holm remain the default for
// complete blocks. Intervals are per contrast; for m of them use the level of Simultaneous. P-values are not adjusted.
//
// levels names every treatment, the baseline first. Errors: ErrEmpty; ErrNonFinite; ErrBadParam for fewer than two or
// repeated levels, or a treatment that is none of them; ErrNotEstimable when a treatment never occurs or shares no
// chain of blocks with the first; ErrTooFew without residual degrees of freedom; ErrZeroVariance when the model fits to the
// last digit. Inputs are not modified. O(N + treatments³).
func BlockAdjusted(obs []Observation, levels []string) (BlockFit, error) {
	d, err := newBlockDesign(obs, levels)
	if err != nil {
		return BlockFit{}, err
	}
	if err := d.connected(); err != nil {
		return BlockFit{}, err
	}
	t, df := len(levels), len(obs)-len(d.blocks)-len(levels)+1
	if df < 1 {
		return BlockFit{}, fmt.Errorf("%d values for %d blocks and %d treatments: %w", len(obs), len(d.blocks), t, num.ErrTooFew)
	}
	// The information about treatments within blocks, without the first treatment: full rank, as the design is connected.
	info := mat.NewSymDense(t-1, nil)
	right := mat.NewVecDense(t-1, nil)
	for i := 1; i < t; i++ {
		right.SetVec(i-1, d.adjustedTotal(i))
		for j := i; j < t; j++ {
			info.SetSym(i-1, j-1, d.information(i, j))
		}
	}
	var chol mat.Cholesky
	var effect mat.VecDense
	var cov mat.SymDense
	if !chol.Factorize(info) || chol.SolveVecTo(&effect, right) != nil || chol.InverseTo(&cov) != nil {
		return BlockFit{}, fmt.Errorf("treatments cannot be told apart: %w", num.ErrNotEstimable)
	}
	tau := make([]float64, t)
	for i := 1; i < t; i++ {
		tau[i] = effect.AtVec(i - 1)
	}
	rss := d.residualSS(tau)
	// Residuals of the size of the data's own rounding are none.
	if math.Sqrt(rss/float64(len(obs))) <= 2*0x1p-52*d.largest {
		return BlockFit{}, fmt.Errorf("blocks and treatments explain every value: %w", num.ErrZeroVariance)
	}
	f := BlockFit{DFResid: df, Sigma2: rss / float64(df)}
	f.F = mat.Dot(&effect, right) / float64(t-1) / f.Sigma2
	f.P = num.FSurvival(f.F, float64(t-1), float64(df))
	for i := 1; i < t; i++ {
		f.Contrasts = append(f.Contrasts, d.contrast(i, tau[i], math.Sqrt(f.Sigma2*cov.At(i-1, i-1)), df))
	}
	f.MSBlock, f.VarBlockRaw, f.VarBlock = d.blockVariance(f.Sigma2)
	return f, nil
}

func (d *blockDesign) contrast(i int, est, se float64, df int) BlockContrast {
	t := est / se
	nu := float64(df)
	return BlockContrast{Treatment: d.levels[i], TTest: analysis.TTest{
		N1: int(d.perTreatment[i]), N2: int(d.perTreatment[0]), Estimate: est, SE: se, T: t, DF: nu,
		P: min(1, 2*num.TSurvival(math.Abs(t), nu)), PLess: num.TSurvival(-t, nu), PGreater: num.TSurvival(t, nu)}}
}
