/** `wrong`: something will not work; `warning`: it works, but not as people expect. */
export type SymptomState = 'ok' | 'warning' | 'wrong' | 'not asked'

/** One row of the doctor's table: what was looked at, and what to do about it. Holds no secret and no name. */
export type Symptom = { part: string; state: SymptomState; text: string }

/** Makes the rows of one part. */
export function symptomsOf(part: string) {
  const make = (state: SymptomState) => (text: string) => ({ part, state, text })
  return { ok: make('ok'), warning: make('warning'), wrong: make('wrong'), notAsked: make('not asked') }
}
