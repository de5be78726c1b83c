package environ

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
)

// build writes files under a new root and returns it.
func build(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		full := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// collect returns the facts of a tree without those of the runtime.
func collect(root string) map[string]any {
	facts := Collect(root)
	maps.DeleteFunc(facts, func(k string, _ any) bool { return k == "os" || k == "arch" || k == "go_version" })
	if facts["cpus"] == runtime.NumCPU() && root != "testdata/server" {
		delete(facts, "cpus")
	}
	return facts
}

func TestRecordedTrees(t *testing.T) {
	for root, want := range map[string]map[string]any{
		"testdata/server": {
			"kernel": "6.1.0-37-amd64", "cpu_model": "AMD EPYC 7302P 16-Core Processor", "cpus": 12,
			"cpu_governor": "performance,schedutil", "memory_bytes": int64(67395928064), "load_average": []float64{0.12, 0.4, 1},
			"cgroup_cpu_limit": 1.5, "virtualization": "kvm", "ip_local_port_range": []float64{32768, 60999},
			"tcp_tw_reuse": int64(2), "tcp_fin_timeout": int64(60), "somaxconn": int64(4096), "nofile_limit": int64(1024), "clocksource": "tsc",
		},
		"testdata/container": {
			"kernel": "5.10.0", "cpu_model": "ARMv7 Processor rev 4 (v7l)", "cgroup_cpu_limit": 0.5, "virtualization": "docker",
		},
		"testdata/broken": {},
	} {
		if got := collect(root); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", root, got, want)
		}
	}
}

func TestVirtualization(t *testing.T) {
	for want, files := range map[string]map[string]string{
		"":                {"sys/class/dmi/id/sys_vendor": "Dell Inc."},
		"docker":          {".dockerenv": "", "sys/class/dmi/id/sys_vendor": "QEMU"},
		"podman":          {"run/.containerenv": ""},
		"kubernetes":      {"proc/self/cgroup": "0::/kubepods.slice/x"},
		"lxc":             {"proc/1/cgroup": "1:name=systemd:/lxc/web"},
		"wsl":             {"proc/sys/kernel/osrelease": "5.15.90.1-microsoft-standard-WSL2"},
		"vmware":          {"sys/class/dmi/id/sys_vendor": "VMware, Inc."},
		"hyper-v":         {"sys/class/dmi/id/product_name": "Virtual Machine"},
		"xen":             {"sys/hypervisor/type": "xen"},
		"virtual machine": {"proc/cpuinfo": "flags\t: fpu hypervisor sse"},
	} {
		root := build(t, files)
		got, _ := Collect(root)["virtualization"].(string)
		if got != want {
			t.Errorf("%v: got %q, want %q", files, got, want)
		}
	}
}

func TestCountList(t *testing.T) {
	for list, want := range map[string]int{"0-1": 2, "0": 1, "0-3,6,8-9": 7, "": 0, "a": 0, "3-1": 0, "0-x": 0, "0-99999999": 0} {
		if got := countList(list); got != want {
			t.Errorf("countList(%q) = %d, want %d", list, got, want)
		}
	}
}
