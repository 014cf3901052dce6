import { noSuch, Refusal, unknownParameter } from '../requests/refusal.ts'
import { idIn, idOf, type ListedKind, type SimulatedAccount } from '../world/account.ts'
import type { Extractor } from '../world/collection.ts'
import { rowsOf } from '../world/embedded.ts'
import { isRecord, type StripeObject } from '../world/world.ts'
import { type Parameter, type Query, readBoolean, readList, readText, readWindow } from './query.ts'

/** A condition on a row: a word under which it is indexed, or a test that it passes. */
export type Condition =
  | { readonly extract: Extractor; readonly word: string }
  | { readonly test: (row: StripeObject) => boolean }

/**
 * Turns a parameter, or its absence, into a condition. It sees the whole query, since some parameters depend on
 * others.
 */
export type Filter = (
  parameter: Parameter | undefined,
  query: Query,
  account: SimulatedAccount,
) => Condition | undefined

export function meets(row: StripeObject, condition: Condition): boolean {
  if ('test' in condition) return condition.test(row)
  return condition.extract(row).includes(condition.word)
}

/** Equal text, or equal id where the field may hold an object. */
export function equals(field: string, allowed?: readonly string[]): Filter {
  const extract = idIn(field)
  return (parameter) => {
    if (parameter === undefined) return undefined
    const word = readText(parameter)
    if (allowed !== undefined && !allowed.includes(word)) throw notAllowed(parameter.name, allowed)
    return { extract, word }
  }
}

/** An id that must exist: "No such customer" otherwise, with status 400. */
export function refersTo(kind: ListedKind, field: string): Filter {
  const extract = idIn(field)
  return (parameter, _query, account) => {
    if (parameter === undefined) return undefined
    const word = readText(parameter)
    if (account.find(kind, word) === undefined) throw noSuch(400, kind, word, parameter.name)
    return { extract, word }
  }
}

/** A boolean field; `absent` is the value if the parameter is missing. */
export function flag(field: string, absent?: boolean): Filter {
  const extract: Extractor = (row) => [String(row[field] === true)]
  return (parameter) => {
    const wanted = parameter === undefined ? absent : readBoolean(parameter)
    return wanted === undefined ? undefined : { extract, word: String(wanted) }
  }
}

/** A time in a window of whole seconds. */
export function within(secondsOf: (row: StripeObject) => number | undefined): Filter {
  return (parameter) => {
    if (parameter === undefined) return undefined
    const { fromSeconds, toSeconds } = readWindow(parameter)
    return {
      test: (row) => {
        const seconds = secondsOf(row)
        return seconds !== undefined && seconds >= fromSeconds && seconds <= toSeconds
      },
    }
  }
}

/** One of several words, as in `ids[]=a&ids[]=b`. */
export function among(field: string): Filter {
  return (parameter) => {
    if (parameter === undefined) return undefined
    const words = new Set(readList(parameter))
    return { test: (row) => words.has(String(row[field])) }
  }
}

/** Equal fields inside a hash, as in `recurring[interval]=month`. */
export function hashEquals(field: string, names: readonly string[]): Filter {
  return (parameter) => {
    if (parameter === undefined) return undefined
    for (const name of parameter.fields.keys())
      if (!names.includes(name)) throw unknownParameter(`${parameter.name}[${name}]`)
    return {
      test: (row) => {
        const hash = row[field]
        if (!isRecord(hash)) return false
        return parameter.fields.entries().every(([name, word]) => idOf(hash[name]) === word)
      },
    }
  }
}

/** Rows of a test clock appear only if the query names the clock or one of these parameters. */
export function testClock(shownBy: readonly string[]): Filter {
  const extract = idIn('test_clock')
  return (parameter, query) => {
    if (parameter !== undefined) return { extract, word: readText(parameter) }
    if (shownBy.some((name) => query.has(name))) return undefined
    return { test: (row) => row['test_clock'] === null || row['test_clock'] === undefined }
  }
}

/** The times of a subscription's items: Stripe filters period ends by the smallest, starts by the largest. */
export function itemSeconds(row: StripeObject, field: string): number[] {
  return rowsOf(row['items'])
    .map((item) => item[field])
    .filter((value) => typeof value === 'number')
}

export function notAllowed(param: string, allowed: readonly string[]): Refusal {
  const words = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(allowed)
  return new Refusal(400, `Invalid ${param}: must be one of ${words}`, { param })
}
