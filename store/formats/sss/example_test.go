package sss_test

import (
	"fmt"
	"strings"

	"github.com/crosswave/crosswave/store/formats/sss"
)

const definition = `<?xml version="1.0" encoding="UTF-8"?>
<sss version="2.0">
  <survey>
    <record ident="V">
      <variable ident="1" type="quantity" use="serial">
        <name>id</name><label>Respondent</label>
        <position start="1" finish="3"/>
        <values><range from="1" to="999"/></values>
      </variable>
      <variable ident="2" type="multiple">
        <name>fruit</name><label>Fruit eaten</label>
        <position start="4" finish="6"/>
        <values>
          <value code="1">Apples</value>
          <value code="2">Pears</value>
          <value code="3">Plums</value>
        </values>
      </variable>
    </record>
  </survey>
</sss>`

func ExampleOpen() {
	def, err := sss.ParseDefinition(strings.NewReader(definition))
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := sss.Open(def, strings.NewReader("  1101\n  2000\n  3   \n"), sss.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fruit := def.Record.Variables[1]
	for c, err := range r.Cases() {
		if err != nil {
			fmt.Println(err)
			return
		}
		answer := c.Data[1]
		names := []string{}
		for _, pick := range answer.Picks {
			names = append(names, fruit.Values[pick.Index].Label.String())
		}
		fmt.Println(c.Data[0].Text, answer.Present, names)
	}
	// Output:
	// 1 true [Apples Plums]
	// 2 true []
	// 3 false []
}

func ExampleWrite() {
	def := &sss.Definition{Record: sss.Record{
		Format: sss.CSV, Skip: 1,
		Variables: []sss.Variable{
			{Name: "id", Type: sss.Quantity, Use: sss.Serial},
			{Name: "again", Type: sss.Logical, Label: sss.Text{Plain: "Would come again"}},
			{Name: "weight", Type: sss.Quantity, Use: sss.Weight},
		},
	}}
	cases := func(yield func(*sss.Case, error) bool) {
		_ = yield(&sss.Case{Data: []sss.Datum{{Present: true, Text: "1"}, {Present: true, Text: "1"},
			{Present: true, Text: "1.4000"}}}, nil) &&
			yield(&sss.Case{Data: []sss.Datum{{Present: true, Text: "2"}, {}, {Present: true, Text: "0.9"}}}, nil)
	}
	var definition, data strings.Builder
	if err := sss.Write(&definition, &data, def, cases); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.ReplaceAll(definition.String()+"\n"+data.String(), "\r", "")) // lines end in CR LF
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <sss version="2.0">
	//   <survey>
	//     <record ident="V" format="csv" skip="1">
	//       <variable ident="1" type="quantity" use="serial">
	//         <name>id</name>
	//         <label></label>
	//         <position start="1"/>
	//         <values>
	//           <range from="1" to="2"/>
	//         </values>
	//       </variable>
	//       <variable ident="2" type="logical">
	//         <name>again</name>
	//         <label>Would come again</label>
	//         <position start="2"/>
	//       </variable>
	//       <variable ident="3" type="quantity" use="weight">
	//         <name>weight</name>
	//         <label></label>
	//         <position start="3"/>
	//         <values>
	//           <range from="0.9000" to="1.4000"/>
	//         </values>
	//       </variable>
	//     </record>
	//   </survey>
	// </sss>
	//
	// id,again,weight
	// 1,1,1.4000
	// 2,,0.9
}
