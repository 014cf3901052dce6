import { useSearchParams } from 'react-router'
import type { LeftOut } from './left-out-note.tsx'

/** One of a few views of a screen that the address names; the first is shown unless it names another. */
export type AddressChoice<Value extends string> = { name: string; values: readonly [Value, ...Value[]] }

/** Keeps a view in the address, so that it survives a reload, Back and a shared link. */
export function useAddressChoice<Value extends string>({ name, values }: AddressChoice<Value>) {
  const [params, setParams] = useSearchParams()
  const [first] = values
  const choose = (value: Value) => {
    const next = new URLSearchParams(params)
    if (value === first) next.delete(name)
    else next.set(name, value)
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return { value: values.find((one) => one === params.get(name)) ?? first, choose }
}

/** The views of the address that there are not. */
export function unknownChoices(
  params: URLSearchParams,
  choices: readonly AddressChoice<string>[],
): LeftOut[] {
  return choices.flatMap(({ name, values }) => {
    const text = params.get(name)
    if (text === null || values.includes(text)) return []
    return [{ name, text, reason: `must be ${values.join(' or ')}`, shown: 'The usual view is shown.' }]
  })
}
