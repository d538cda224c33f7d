/** Replies of group B as the document shows them: what the JSON form answers, and the XML of the command form. */
export const REPLIES = {
  getCatalogInfo: {
    json: {
      name: 'Audi Europe',
      code: 'AU1',
      brand: 'AUDI',
      icon: 'audi.png',
      features: [{ name: 'vinsearch', example: 'WAUZZZ8K9AA000001' }, { name: 'quickgroups' }],
      operations: [
        {
          name: 'byMvs',
          kind: 'search_vehicle',
          description: 'By model',
          fields: [{ name: 'mvs', pattern: '\\d{3}', description: 'Number', example: '123' }],
        },
      ],
    },
    xml: `<GetCatalogInfo><row name="Audi Europe" code="AU1" brand="AUDI" icon="audi.png" supportdetailapplicability="false"
      supportquickgroups="true" supportvinsearch="true" vinexample="WAUZZZ8K9AA000001"><extensions><operations>
      <operation name="byMvs" kind="search_vehicle" description="By model"><field name="mvs" description="Number">
      <pattern>\\d{3}</pattern><example>123</example></field></operation></operations></extensions></row></GetCatalogInfo>`,
  },
  findVehicle: {
    json: [
      {
        catalog: 'AU1',
        brand: 'AUDI',
        name: 'A4 "Avant" & more',
        vehicleId: '0',
        ssd: '$x1$',
        attributes: [{ key: 'engine', value: '2.0 < 3', name: 'Motor' }],
        sysProperties: { filter_level: 'full' },
      },
    ],
    xml: `<?xml version="1.0" encoding="UTF-8"?><FindVehicle><row catalog="AU1" brand="AUDI" name="A4 &quot;Avant&quot; &amp; more"
      vehicleid="0" ssd="$x1$"><attribute key="engine" name="Motor" value="2.0 &lt; 3"/>
      <sysproperty key="filter_level">full</sysproperty></row></FindVehicle>`,
  },
  findVehicleByPlateNumber: {
    // Without names asked for, keys and values stand at the level of the record.
    json: [{ brand: 'AUDI', name: 'A4', vehicleId: '0', ssd: 'x', attributes: [{ key: 'engine', value: '2.0' }] }],
    xml: '<FindVehicleByPlateNumber><row brand="AUDI" name="A4" vehicleid="0" ssd="x"><attribute key="engine" value="2.0"/></row></FindVehicleByPlateNumber>',
  },
  getVehicleInfo: {
    json: { brand: 'AUDI', name: 'A4', vehicleId: '0', ssd: 'x', engine: '2.0', doors: '5' },
    xml: '<GetVehicleInfo><row brand="AUDI" name="A4" vehicleid="0" ssd="x" engine="2.0" doors="5"/></GetVehicleInfo>',
  },
  execCustomOperation: { json: [], xml: '<ExecCustomOperation></ExecCustomOperation>' },
  listUnits: {
    json: [
      {
        unitId: 'u1',
        name: 'Brakes',
        code: '6-1',
        ssd: 'x2',
        imageUrl: 'http://images/%size%/u1.png',
        largeImageUrl: 'http://images/source/u1.png',
        filter: 'engine',
        filter_note: 'Which engine?',
        attributes: [{ key: 'note', value: 'front', name: 'Note' }],
        details: [],
        links: null,
      },
    ],
    xml: `<ListUnits><row unitid="u1" name="Brakes" code="6-1" ssd="x2" imageurl="http://images/%size%/u1.png"
      largeimageurl="http://images/source/u1.png" filter="engine" filter_note="Which engine?">
      <attribute key="note" value="front" name="Note"/></row></ListUnits>`,
  },
  listDetailByUnit: {
    json: [
      {
        name: 'Pad',
        codeOnImage: '4',
        oem: '8K0',
        ssd: 'x3',
        attributes: [{ key: 'flag', value: '1', name: 'Flag' }],
        links: [
          {
            catalog: 'AU1',
            categoryId: '5',
            command: 'ListUnits',
            vehicleId: '0',
            label: 'More',
            ssd: 'x4',
            type: 'unit',
          },
        ],
      },
    ],
    xml: `<ListDetailByUnit><row codeonimage="4" name="Pad" oem="8K0" ssd="x3"><attribute key="flag" value="1" name="Flag"/>
      <links><link Catalog="AU1" CategoryId="5" Command="ListUnits" Locale="en_US" Localized="true" VehicleId="0" label="More"
      ssd="x4" type="unit"/></links></row></ListDetailByUnit>`,
  },
  listQuickGroup: {
    json: [
      {
        name: 'Brakes',
        quickGroupId: 1,
        link: false,
        children: [
          { name: 'Pads', quickGroupId: 9_007_199_254_740_993n, link: true, synonyms: 'linings', children: [] },
          { name: 'Discs', quickGroupId: 3, link: true, children: [] },
        ],
      },
    ],
    xml: `<ListQuickGroup><row quickgroupid="1" name="Brakes" link="false"><row quickgroupid="9007199254740993" name="Pads"
      link="true" synonyms="linings"/><row quickgroupid="3" name="Discs" link="true"/></row></ListQuickGroup>`,
  },
  listQuickDetail: {
    json: [
      {
        categoryId: '5',
        code: 'BR',
        name: 'Brakes',
        parentCategoryId: '1',
        ssd: 'x',
        childrens: true,
        units: [
          {
            unitId: 'u1',
            name: 'Front',
            code: '6-1',
            ssd: 'x2',
            attributes: [],
            details: [
              {
                name: 'Pad',
                codeOnImage: '4',
                oem: '8K0',
                match: true,
                attributes: [{ key: 'amount', value: '2', name: 'Amount' }],
              },
              { name: 'Clip', codeOnImage: '5', oem: '8K1', attributes: [] },
            ],
          },
        ],
      },
    ],
    xml: `<ListQuickDetail><Category categoryid="5" code="BR" name="Brakes" parentcategoryid="1" ssd="x" childrens="true">
      <Unit unitid="u1" name="Front" code="6-1" ssd="x2"><Detail name="Pad" codeonimage="4" oem="8K0" match="t">
      <attribute key="amount" value="2" name="Amount"/></Detail><Detail name="Clip" codeonimage="5" oem="8K1"><attributes/></Detail>
      </Unit></Category></ListQuickDetail>`,
  },
} as const;

/** JSON whose large integers are written as digits. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? `@${one}@` : one)).replaceAll(
    /"@(\d+)@"/g,
    '$1',
  );
}
