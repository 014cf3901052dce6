import { Alert } from '@mantine/core'
import { useState } from 'react'
import { type SignInStep, stepTitles } from '../../components/sign-in/sign-in-step.ts'
import { productLine, productName } from '../../paths.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { SignInForm, type SignInFormProps } from './sign-in-form.tsx'

type SignInCardProps = Omit<SignInFormProps, 'step' | 'onStep'> & {
  /** Whether the visitor has just deleted their account. */
  isAfterDeletion?: boolean
}

/** The sign-in as a page of its own. */
export function SignInCard({ isAfterDeletion = false, ...props }: SignInCardProps) {
  const [step, setStep] = useState<SignInStep>('password')
  const title = stepTitles[step]
  return (
    <FormCard title={title ?? `Sign in to ${productName}`} {...(title === null && { subtitle: productLine })}>
      <title>{`${title ?? 'Sign in'} · ${productName}`}</title>
      {isAfterDeletion ? (
        <Alert role="status" color="blue">
          Your account is deleted.
        </Alert>
      ) : null}
      <SignInForm {...props} step={step} onStep={setStep} />
    </FormCard>
  )
}
