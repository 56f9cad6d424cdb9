// vep_client annotates the variants of a VCF file through the consequence service
// (GET /csq?pos=..&ref=..&alt=..), which answers from the transcript store.
// The service is started on a local port here.
//
//	vep_client -vcf variants.vcf -out annotated.tsv
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

type variant struct {
	chrom, pos, ref, alt string
}

var classes = []string{"synonymous", "missense", "stop_gained", "intron", "utr3", "intergenic"}

// consequence is the handler of the service; the sleep stands for the transcript store.
func consequence(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	pos, err := strconv.Atoi(q.Get("pos"))
	if err != nil {
		http.Error(w, "pos", http.StatusBadRequest)
		return
	}
	time.Sleep(2 * time.Millisecond)
	h := uint32(pos)*2654435761 + uint32(q.Get("ref")[0])*31 + uint32(q.Get("alt")[0])
	fmt.Fprintf(w, "%s\tENST%08d\n", classes[(h>>8)%uint32(len(classes))], pos/20000)
}

func serve() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/csq", consequence)
	go http.Serve(l, mux)
	return "http://" + l.Addr().String(), nil
}

func load(path string) ([]variant, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var vs []variant
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		if strings.HasPrefix(sc.Text(), "#") {
			continue
		}
		c := strings.Split(sc.Text(), "\t")
		vs = append(vs, variant{c[0], c[1], c[3], c[4]})
	}
	return vs, sc.Err()
}

func annotate(base string, v variant) (string, error) {
	q := url.Values{"pos": {v.pos}, "ref": {v.ref}, "alt": {v.alt}}
	resp, err := http.Get(base + "/csq?" + q.Encode())
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return strings.TrimSpace(string(b)), err
}

func main() {
	vcf := flag.String("vcf", "variants.vcf", "variants")
	out := flag.String("out", "annotated.tsv", "annotated variants")
	flag.Parse()

	base, err := serve()
	if err != nil {
		log.Fatal(err)
	}
	vs, err := load(*vcf)
	if err != nil {
		log.Fatal(err)
	}
	o, err := os.Create(*out)
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriter(o)
	count := map[string]int{}

	// several requests are under way at once; answers keep the order of the file
	answers := make([]string, len(vs))
	jobs := make(chan int)
	var wg sync.WaitGroup
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 16
	for k := 0; k < 16; k++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range jobs {
				a, err := annotate(base, vs[i])
				if err != nil {
					log.Fatal(err)
				}
				answers[i] = a
			}
		}()
	}
	for i := range vs {
		jobs <- i
	}
	close(jobs)
	wg.Wait()

	for i, v := range vs {
		a := answers[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", v.chrom, v.pos, v.ref, v.alt, a)
		count[strings.SplitN(a, "\t", 2)[0]]++
	}
	w.Flush()
	o.Close()

	var names []string
	for n := range count {
		names = append(names, n)
	}
	sort.Strings(names)
	fmt.Println("variants", len(vs))
	for _, n := range names {
		fmt.Println(n, count[n])
	}
}
