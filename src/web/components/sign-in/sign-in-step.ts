export type SignInStep = 'password' | 'code' | 'forgotten'

/** Says what the form of a step is for. The first step is titled by its screen. */
export const stepTitles: Record<SignInStep, string | null> = {
  password: null,
  code: 'Enter your code',
  forgotten: 'Reset your password',
}
