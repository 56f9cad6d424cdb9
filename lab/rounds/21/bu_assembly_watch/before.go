// assembly_watch starts the overlap step of the assembler as a child, shows how far
// it is from the size of its output, and sums up the overlaps when it has ended.
//
//	assembly_watch -frags frags.txt -out overlaps.txt
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// the overlap step: suffix of one fragment = prefix of another, at least 5 bases
const overlapStep = `
{ f[NR] = $0; pre[substr($0, 1, 5)] = pre[substr($0, 1, 5)] " " NR }
END {
	for (i = 1; i <= NR; i++) {
		for (k = length(f[i]) - 4; k > 1; k--) {
			n = split(pre[substr(f[i], k, 5)], c, " ")
			for (j = 1; j <= n; j++)
				if (c[j] != i && index(f[c[j]], substr(f[i], k)) == 1)
					print i, c[j], length(f[i]) - k + 1
		}
	}
}`

type overlap struct{ a, b, length int }

// watch reports the size of the output while the child is at work.
func watch(path string, ended <-chan error) (int, error) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	looks := 0
	for {
		select {
		case err := <-ended:
			return looks, err
		case <-tick.C:
			looks++
			if st, err := os.Stat(path); err == nil {
				fmt.Fprintf(os.Stderr, "\roverlaps: %d bytes", st.Size())
			}
		}
	}
}

func load(path string) ([]overlap, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []overlap
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		c := strings.Fields(sc.Text())
		if len(c) != 3 {
			continue
		}
		var o overlap
		o.a, _ = strconv.Atoi(c[0])
		o.b, _ = strconv.Atoi(c[1])
		o.length, _ = strconv.Atoi(c[2])
		all = append(all, o)
	}
	return all, sc.Err()
}

func main() {
	frags := flag.String("frags", "frags.txt", "fragments")
	out := flag.String("out", "overlaps.txt", "overlaps")
	flag.Parse()

	o, err := os.Create(*out)
	if err != nil {
		log.Fatal(err)
	}
	cmd := exec.Command("awk", overlapStep, *frags)
	cmd.Stdout = o
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	looks, err := watch(*out, ended)
	if err != nil {
		log.Fatal(err)
	}
	o.Close()
	fmt.Fprintf(os.Stderr, "\n%d looks\n", looks)

	all, err := load(*out)
	if err != nil {
		log.Fatal(err)
	}
	degree := map[int]int{}
	longest, sum := 0, 0
	for _, v := range all {
		degree[v.a]++
		sum += v.length
		if v.length > longest {
			longest = v.length
		}
	}
	most := 0
	for _, d := range degree {
		if d > most {
			most = d
		}
	}
	fmt.Printf("overlaps %d fragments %d longest %d most %d bases %d\n", len(all), len(degree), longest, most, sum)
}
