import { useState } from 'react'
import { type SignInStep, stepTitles } from '../../components/sign-in/sign-in-step.ts'
import { productLine, productName } from '../../paths.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { SignInForm, type SignInFormProps } from './sign-in-form.tsx'

/** The sign-in as a page of its own. */
export function SignInCard(props: Omit<SignInFormProps, 'step' | 'onStep'>) {
  const [step, setStep] = useState<SignInStep>('password')
  const title = stepTitles[step]
  return (
    <FormCard title={title ?? `Sign in to ${productName}`} {...(title === null && { subtitle: productLine })}>
      <title>{`${title ?? 'Sign in'} · ${productName}`}</title>
      <SignInForm {...props} step={step} onStep={setStep} />
    </FormCard>
  )
}
