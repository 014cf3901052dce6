import { Button } from '@mantine/core'
import classes from './shown-button.module.css'

type ShownButtonProps = {
  /** What the filters leave: 'Show 305'. */
  text: string | undefined
  onClick: () => void
}

/** Closes a panel of filters, and says what they leave while they cover it. Stands at the foot of the panel as it scrolls. */
export function ShownButton({ text = 'Show the list', onClick }: ShownButtonProps) {
  return (
    <div className={classes['bar']}>
      <Button fullWidth onClick={onClick}>
        {text}
      </Button>
    </div>
  )
}
