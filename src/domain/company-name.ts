/**
 * What people and forms write when there is no name, letters and digits only: 'N/A', 'n. a.' and '(n/a)' all become 'na'.
 */
const placeholders = new Set(
  `
  na nn nd ka nvt nan nil null none noname nonames nonamegiven nonameprovided noneprovided nonegiven notgiven nocompany notavailable notapplicable notprovided
  notset notspecified unset undefined unspecified unknown unknowncustomer unbekannt inconnu desconocido desconhecido
  sconosciuto onbekend okand okänd ukjent ukendt nieznany neznamy neznámý неизвестно неизвестный 不明 未知 미상
  empty blank void missing default tbd tba todo name firstname lastname fullname firstnamelastname yourname
  vorname nachname nom prenom prénom nombre nome cognome navn namn naam nazwa имя 名前 姓名 이름
  ohnename keinname keinenamen keine kein keiner keineangabe keineangaben sansnom aucun aucune ninguno ninguna
  sinnombre nenhum semnome nessuno nessunnome geen geennaam ingen inget ingetnamn intetnavn brak нет безимени 无 なし 없음
  customer newcustomer guest guestcustomer client newclient user newuser kunde kundin gast neukunde cliente clientes
  klant klient asiakas zakaznik клиент покупатель 客户 顧客 お客様 고객
  company mycompany yourcompany companyname firma firmenname empresa entreprise société societe azienda bedrijf
  organization organisation business person individual private privat privatperson particulier particulares privato
  test tests testing tester testuser testcustomer testclient testaccount testcompany testkunde prueba essai prova teste
  тест テスト 测试 測試 테스트 demo demouser democustomer example sample dummy foo foobar bar asdf asdfasdf qwerty
  xx xxx xxxx xxxxx anonymous anonymized anonymised anonym anonyme anonimo anónimo anônimo redacted deleted
  deleteduser deletedcustomer removed hidden
  `
    .normalize('NFKC')
    .split(/\s+/)
    .filter(Boolean),
)

/**
 * A customer's name if it is a real one: null for a placeholder, a text without a letter of any script, or an address.
 */
export function realName(name: string | null): string | null {
  const shown = name?.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim() ?? ''
  const words = shown
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
  const isPlaceholder = placeholders.has(words.join('')) || words.every((word) => placeholders.has(word))
  if (isPlaceholder || !/\p{L}/u.test(shown) || /^[^\s@]+@[^\s@]+$/.test(shown)) return null
  return name?.trim() ?? null
}

/** Legal forms at the end of a name, as their letters; dots, slashes and spaces may stand between these. */
const legalForms = `
  inc incorporated corp corporation co company llc lllp llp lp pllc ltd limited plc cic pty proprietary pvt pte
  gmbh ggmbh mbh ag kg kgaa ohg ug haftungsbeschränkt gbr ek eu ev eg se bv nv vof cv bvba
  sa sas sasu sarl sàrl eurl snc spa srl srls sl slu scrl ltda eireli lda unipessoal sadecv sapidecv sabdecv sderldecv
  ab as asa aps oy oyj ehf oü uab sia spzoo spółkazoo spk sro vos kft zrt nyrt doo dd ood eood şti aş
  ооо оао зао пао ао тов kk gk sdn bhd tbk opc wll fze fzco fzllc jsc pjsc
`
const formsBefore = 'ооо оао зао пао ао тов uab sia pt kk'
/** Forms at either end, which need no space. */
const formsWithoutSpace = `
  株式会社 有限会社 合同会社 合資会社 合名会社 (株) （株） ㈱ (有) （有） ㈲ (同) （同）
  股份有限公司 有限责任公司 有限責任公司 有限公司 주식회사 유한회사 (주) （주） ㈜
`

/** A pattern for each of the forms. */
function anyOf(forms: string): string {
  const patterns = forms
    .trim()
    .split(/\s+/)
    .map((form) => [...form].map((letter) => letter.replace(/[()]/, '\\$&')).join('[\\s./]*'))
  return `(?:${patterns.join('|')})`
}

const atEnd = new RegExp(`[\\s,(&]${anyOf(legalForms)}[\\s.,)]*$|${anyOf(formsWithoutSpace)}\\s*$`, 'iu')
const atBeginning = new RegExp(`^(?:${anyOf(formsBefore)}[.,]*\\s|${anyOf(formsWithoutSpace)})\\s*`, 'iu')

/** Takes off what joined a legal form to a name: 'Acme &', 'Acme ('. */
function withoutJoiner(text: string): string {
  let end = text.length
  while (end > 0 && /[\s,(&]/.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** What two names of one company have in common: lower case, without legal forms. */
export function companyBaseName(name: string): string {
  return withoutLegalForm(name.normalize('NFKC')).toLowerCase()
}

/**
 * A name without the legal forms at its ends ('Acme GmbH & Co. KG' becomes 'Acme'), so that it finds the company under
 * any of them. A name that would keep less than two letters stays whole.
 */
export function withoutLegalForm(name: string): string {
  const shorter = withoutJoiner(name.trim().replace(atBeginning, '').replace(atEnd, ''))
  if ([...shorter].length < 2) return name.trim()
  return shorter === name.trim() ? shorter : withoutLegalForm(shorter)
}
