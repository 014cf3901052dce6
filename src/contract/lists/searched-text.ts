/** Signs without a width, which other programs put into a text that is copied from them. */
const unseen = /[\u00ad\u200b\u2060\ufeff]/g

/** An id of the payment provider, or the number of a record in the CRM, as it stands in a link. */
const idInLink = /^((cus|sub|in)_[A-Za-z0-9]+|\d{6,})$/
/** The address behind a name, as mail programs copy it. */
const addressBehindName = /<([^\s@<>]+@[^\s@<>]+)>$/
/** An id or an address between signs that belong to the sentence around it. */
const inSentence = /^["'“‘«<(`]*((?:cus|sub|in)_[A-Za-z0-9]+|[^\s@"<>(]+@[^\s@]*[\p{L}\p{N}])["'”’»>)`,;.]*$/u

/** An invoice's number as Stripe makes it, anywhere in a text; a lone one is found without this. */
const invoiceNumber = /(?<![\w-])[A-Z0-9]{3,12}-\d{4,}(?![\w-])/gi

/** What a person means who pastes a link, an address with a name, or an id or invoice number out of a sentence. Another text stays as it is. */
export function searchedText(pasted: string): string {
  // Names are kept as people type them, an ö as one character. Texts of PDF files and file names have two.
  const text = pasted.normalize('NFC').replace(unseen, '').replace(/\s+/g, ' ').trim()
  if (/^https?:\/\/\S+$/i.test(text)) {
    const [path = ''] = text.split(/[?#]/)
    return path.split('/').findLast((part) => idInLink.test(part)) ?? text
  }
  const [, inWords] = addressBehindName.exec(text) ?? inSentence.exec(text.replace(/^mailto:/i, '')) ?? []
  if (inWords !== undefined) return inWords
  const [number, another] = text.match(invoiceNumber) ?? []
  return number !== undefined && another === undefined ? number : text
}
