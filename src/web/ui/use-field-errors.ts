import { type FormEvent, useState } from 'react'

/**
 * Says below each field what is wrong with it: spread `form` on the form, and name its fields. `areRight` is for before
 * sending. `whats` names what a field asks for: 'your password'.
 */
export function useFieldErrors<Field extends string>(whats: Record<Field, string>) {
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({})
  const areRight = (form: HTMLFormElement) => {
    const found: typeof errors = {}
    let first: HTMLInputElement | null = null
    for (const field of form.querySelectorAll('input')) {
      const problem = problemOf(field, whats)
      if (problem === null) continue
      found[field.name as Field] = problem
      first ??= field
    }
    setErrors(found)
    first?.focus()
    return first === null
  }
  const onInput = ({ target }: FormEvent) => {
    if (target instanceof HTMLInputElement && errors[target.name as Field] !== undefined)
      setErrors({ ...errors, [target.name]: undefined })
  }
  /** Says what the server refused of a field. */
  const refuse = (field: Field, text: string, form?: HTMLFormElement) => {
    setErrors((before) => ({ ...before, [field]: text }))
    form?.querySelector<HTMLInputElement>(`input[name="${field}"]`)?.focus()
  }
  /** The same where the refusal begins with the name of a field ('email: is wrong.'); tells whether it does. */
  const refuseNamed = (text: string, form?: HTMLFormElement): boolean => {
    const [, field = '', what = ''] = /^(\w+): (.+)$/s.exec(text) ?? []
    if (!Object.hasOwn(whats, field)) return false
    refuse(field as Field, /^[a-z]/.test(what) ? `This ${what}` : what, form)
    return true
  }
  return { form: { noValidate: true, onInput }, areRight, errors, refuse, refuseNamed }
}

/** Browsers take an address without a dot after its @, which no mail provider has. */
const dottedHost = /@[^@]*[^@.]\.[^@.]+\.?$/

function problemOf(field: HTMLInputElement, whats: Record<string, string>): string | null {
  const { value, validity, minLength, name } = field
  if (field.required && value.trim() === '') return `Enter ${whats[name] ?? 'this'}.`
  if (field.type === 'email' && value !== '' && (validity.typeMismatch || !dottedHost.test(value.trim())))
    return 'Enter an email address, such as name@example.com.'
  if (minLength > 0 && [...value].length < minLength) return `Use at least ${minLength} characters.`
  if (validity.patternMismatch || validity.typeMismatch) return field.title
  return null
}
