package environ

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// collectSystem adds the facts that Linux shows in proc and sys under t:
//
//	kernel               release, as uname -r
//	cpu_model            name of the first processor
//	cpus                 online processors (replaces the count of the runtime)
//	cpu_governor         frequency governors in use, joined with "," if they differ
//	memory_bytes         main memory
//	load_average         over 1, 5 and 15 minutes
//	cgroup_cpu_limit     processors that the control group may use (2 = two whole ones); absent without a limit
//	virtualization       "docker", "kvm", "vmware" … a hint, absent on bare metal and when unknown
//	ip_local_port_range  first and last port for outgoing connections
//	tcp_tw_reuse         0 off, 1 on, 2 on for loopback
//	tcp_fin_timeout      seconds
//	somaxconn            longest queue of connections not yet accepted
//	nofile_limit         open files that this process may have now (soft), absent if unlimited
//	clocksource          what the kernel tells time by
func collectSystem(t tree, facts map[string]any) {
	put(facts, "kernel", t.read("proc/sys/kernel/osrelease"))
	cpuinfo := t.read("proc/cpuinfo")
	put(facts, "cpu_model", firstOf(cpuinfo, "model name", "Model", "Hardware", "cpu model", "cpu"))
	if n := countList(t.read("sys/devices/system/cpu/online")); n > 0 {
		facts["cpus"] = n
	}
	put(facts, "cpu_governor", governors(t))
	if kib, unit, ok := strings.Cut(field(t.read("proc/meminfo"), "MemTotal"), " "); ok && unit == "kB" {
		if n, err := strconv.ParseInt(kib, 10, 64); err == nil && n > 0 && n < math.MaxInt64/1024 {
			facts["memory_bytes"] = n * 1024
		}
	}
	if load := numbers(strings.Fields(t.read("proc/loadavg")), 3); load != nil {
		facts["load_average"] = load
	}
	if limit := cpuLimit(t); limit > 0 {
		facts["cgroup_cpu_limit"] = limit
	}
	put(facts, "virtualization", virtualization(t, cpuinfo))
	if ports := numbers(strings.Fields(t.read("proc/sys/net/ipv4/ip_local_port_range")), 2); ports != nil {
		facts["ip_local_port_range"] = ports
	}
	putInt(facts, "tcp_tw_reuse", t.read("proc/sys/net/ipv4/tcp_tw_reuse"))
	putInt(facts, "tcp_fin_timeout", t.read("proc/sys/net/ipv4/tcp_fin_timeout"))
	putInt(facts, "somaxconn", t.read("proc/sys/net/core/somaxconn"))
	putInt(facts, "nofile_limit", openFiles(t.read("proc/self/limits")))
	put(facts, "clocksource", t.read("sys/devices/system/clocksource/clocksource0/current_clocksource"))
}

func firstOf(text string, keys ...string) string {
	for _, k := range keys {
		if v := field(text, k); v != "" {
			return v
		}
	}
	return ""
}

// countList counts the members of a list such as "0-3,6"; 0 if it is malformed.
func countList(list string) int {
	total := 0
	for part := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(low)
		if err != nil {
			return 0
		}
		last := first
		if isRange {
			if last, err = strconv.Atoi(high); err != nil {
				return 0
			}
		}
		if last < first || last-first > 1<<20 {
			return 0
		}
		total += last - first + 1
	}
	return total
}

// numbers parses the first n fields; nil if there are fewer or one is not a number.
func numbers(fields []string, n int) []float64 {
	if len(fields) < n {
		return nil
	}
	values := make([]float64, n)
	for i := range values {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		values[i] = v
	}
	return values
}

// governors lists the different frequency governors.
func governors(t tree) string {
	paths, err := filepath.Glob(filepath.Join(string(t), "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"))
	if err != nil {
		return ""
	}
	var names []string
	for _, p := range paths {
		relative, err := filepath.Rel(string(t), p)
		if err != nil {
			continue
		}
		if g := t.read(relative); g != "" && !slices.Contains(names, g) {
			names = append(names, g)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

// cpuLimit is the smallest limit among the control groups that hold this process, in processors; 0 without one.
// Inside a container the path of the group is that of the host and does not exist; the root is then the group itself.
func cpuLimit(t tree) float64 {
	limit := 0.0
	note := func(quota, period float64) {
		if quota > 0 && period > 0 && (limit == 0 || quota/period < limit) {
			limit = quota / period
		}
	}
	for l := range strings.Lines(t.read("proc/self/cgroup") + "\n") {
		parts := strings.SplitN(strings.TrimSpace(l), ":", 3)
		if len(parts) != 3 {
			continue
		}
		for dir := parts[2]; ; dir = filepath.ToSlash(filepath.Dir(dir)) {
			switch {
			case parts[0] == "0": // version 2
				if v := numbers(strings.Fields(t.read("sys/fs/cgroup/"+dir+"/cpu.max")), 2); v != nil {
					note(v[0], v[1])
				}
			case slices.Contains(strings.Split(parts[1], ","), "cpu"):
				base := "sys/fs/cgroup/cpu/" + dir
				quota, period := numbers([]string{t.read(base + "/cpu.cfs_quota_us")}, 1), numbers([]string{t.read(base + "/cpu.cfs_period_us")}, 1)
				if quota != nil && period != nil {
					note(quota[0], period[0])
				}
			}
			if dir == "/" || dir == "." || dir == "" {
				break
			}
		}
	}
	return limit
}

// virtualization guesses what lies between this process and the hardware; a container names itself before the machine
// it runs on.
func virtualization(t tree, cpuinfo string) string {
	groups := t.read("proc/1/cgroup") + t.read("proc/self/cgroup")
	switch {
	case t.exists(".dockerenv"), strings.Contains(groups, "docker"):
		return "docker"
	case t.exists("run/.containerenv"), strings.Contains(groups, "libpod"):
		return "podman"
	case strings.Contains(groups, "kubepods"):
		return "kubernetes"
	case strings.Contains(groups, "lxc"):
		return "lxc"
	case strings.Contains(strings.ToLower(t.read("proc/sys/kernel/osrelease")), "microsoft"):
		return "wsl"
	}
	hardware := strings.ToLower(t.read("sys/class/dmi/id/sys_vendor") + " " + t.read("sys/class/dmi/id/product_name"))
	for _, known := range []struct{ mark, name string }{
		{"qemu", "kvm"}, {"kvm", "kvm"}, {"vmware", "vmware"}, {"virtualbox", "virtualbox"}, {"innotek", "virtualbox"},
		{"virtual machine", "hyper-v"}, {"xen", "xen"}, {"amazon ec2", "amazon"}, {"google compute", "google"},
		{"openstack", "openstack"}, {"firecracker", "firecracker"}, {"parallels", "parallels"},
	} {
		if strings.Contains(hardware, known.mark) {
			return known.name
		}
	}
	if h := t.read("sys/hypervisor/type"); h != "" {
		return h
	}
	if slices.Contains(strings.Fields(field(cpuinfo, "flags")), "hypervisor") {
		return "virtual machine"
	}
	return ""
}

// openFiles is the soft limit in the text of proc/self/limits.
func openFiles(limits string) string {
	for l := range strings.Lines(limits) {
		if rest, ok := strings.CutPrefix(l, "Max open files"); ok {
			if fields := strings.Fields(rest); len(fields) > 0 {
				return fields[0]
			}
		}
	}
	return ""
}

// read returns a file's text without the white space around it, "" if it cannot be read.
func (t tree) read(path string) string {
	text, err := os.ReadFile(filepath.Join(string(t), filepath.FromSlash(path)))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// exists reports whether there is a file.
func (t tree) exists(path string) bool {
	_, err := os.Stat(filepath.Join(string(t), filepath.FromSlash(path)))
	return err == nil
}

// put records a text that is not empty.
func put(facts map[string]any, key, value string) {
	if value != "" {
		facts[key] = value
	}
}

// putInt records a whole number, if the text is one.
func putInt(facts map[string]any, key, text string) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		facts[key] = n
	}
}

// field returns the value of the first "key : value" line.
func field(text, key string) string {
	for l := range strings.Lines(text) {
		name, value, ok := strings.Cut(l, ":")
		if ok && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
