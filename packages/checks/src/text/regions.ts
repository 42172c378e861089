import { fold, foldedWords, once } from "./fold.ts";
import { LOCALES } from "./units.ts";

/** ISO 3166 codes of today; Intl also knows dead ones, such as DD. */
const CODES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD " +
  "CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET EU FI FJ FK FM FO FR GA GB GD " +
  "GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM " +
  "KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY " +
  "MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE " +
  "SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UN US UY UZ VA VC " +
  "VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";

const MORE_NAMES: readonly (readonly [name: string, code: string])[] = [
  ["usa", "US"],
  ["us", "US"],
  ["uk", "GB"],
  ["great britain", "GB"],
  ["britain", "GB"],
  ["czech republic", "CZ"],
  ["holland", "NL"],
  ["eu", "EU"],
  ["ue", "EU"],
];

/** Places that other languages name otherwise, in lines of one place. Intl has none. Folded. */
const PLACES = [
  "aachen,aix-la-chapelle,aken",
  "antwerp,antwerpen,anvers,amberes",
  "athens,athen,athenes",
  "basel,basle",
  "bern,berne,berna",
  "bruges,brugge",
  "brussels,brussel,bruxelles,bruselas",
  "bucharest,bukarest,bucarest",
  "cologne,koln,colonia",
  "copenhagen,kopenhagen,copenhague,kobenhavn",
  "florence,florenz,firenze",
  "geneva,genf,geneve,ginebra",
  "genoa,genua,genova",
  "ghent,gent,gand",
  "gothenburg,goteborg",
  "hanover,hannover,hanovre",
  "leuven,louvain",
  "liege,luttich,luik",
  "lisbon,lissabon,lisbonne,lisboa",
  "london,londres,londra",
  "lucerne,luzern",
  "milan,mailand,milano",
  "moscow,moskau,moscou",
  "mulhouse,mulhausen",
  "munich,munchen,monaco di baviera",
  "naples,neapel,napoli",
  "nuremberg,nurnberg",
  "prague,prag,praha,praga",
  "ratisbon,regensburg,ratisbonne",
  "rome,roma",
  "seville,sevilla",
  "strasbourg,strassburg",
  "the hague,den haag,la haye",
  "treves,trier",
  "turin,torino",
  "venice,venedig,venise,venezia",
  "vienna,wien,vienne",
  "warsaw,warschau,varsovie,warszawa",
  "zurich,zurigo",
];

interface Regions {
  readonly codeOf: ReadonlyMap<string, string>;
  readonly namesOf: ReadonlyMap<string, readonly string[]>;
}

/** Built on first use: it takes some milliseconds. */
const regions = once((): Regions => {
  const codeOf = new Map<string, string>();
  for (const locale of LOCALES) {
    const names = new Intl.DisplayNames([locale], { type: "region" });
    for (const code of CODES.split(" ")) {
      const name = fold(names.of(code) ?? code);
      for (const form of [name, name.replace(/ ?\(.*/, "")])
        if (form !== "" && !codeOf.has(form)) codeOf.set(form, code);
    }
  }
  for (const [name, code] of MORE_NAMES) codeOf.set(name, code);
  for (const place of PLACES) {
    const [code = "", ...names] = place.split(",");
    for (const name of [code, ...names]) codeOf.set(name, code);
  }
  const namesOf = new Map<string, string[]>();
  for (const [name, code] of codeOf) {
    const names = namesOf.get(code) ?? [];
    names.push(foldedWords(name));
    namesOf.set(code, names);
  }
  return { codeOf, namesOf };
});

/** Names of a country or city in all known languages, as folded words. */
export function regionNames(code: string): readonly string[] {
  return regions().namesOf.get(code) ?? [];
}

/** The country or city that a folded name means. */
export function regionOf(name: string): string | undefined {
  return regions().codeOf.get(name);
}
