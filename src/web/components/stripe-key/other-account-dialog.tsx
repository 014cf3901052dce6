import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'

type OtherAccountDialogProps = {
  /** The server's message about the key; null shows no dialog. */
  question: string | null
  isBusy: boolean
  onReset: () => void
  onKeep: () => void
}

/** Asks before another Stripe account deletes all imported data. */
export function OtherAccountDialog({ question, isBusy, onReset, onKeep }: OtherAccountDialogProps) {
  return (
    <ConfirmDialog
      isOpen={question !== null}
      title="Another Stripe account"
      text={`${question ?? ''} This deletes the imported customers, subscriptions, invoices and events here, not in Stripe, and the import starts over.`}
      confirmLabel="Delete and connect"
      isBusy={isBusy}
      onConfirm={onReset}
      onClose={onKeep}
    />
  )
}
