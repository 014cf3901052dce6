import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconBookmark, IconPencil, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useToast } from '../../ui/toast.tsx'
import { ListMenu } from './list-menu.tsx'

export type SavedView = { name: string; query: string }

/** What a person can do with views. Each call tells why it failed, or null. */
export type ViewActions = {
  save: (name: string, query: string) => Promise<string | null>
  update: (name: string, query: string) => Promise<string | null>
  rename: (name: string, newName: string) => Promise<string | null>
  remove: (name: string) => Promise<string | null>
}

type ViewsMenuProps = ViewActions & { views: readonly SavedView[] }

/** A long name takes two lines. */
const wraps = {
  h: 'auto',
  mih: 26,
  styles: { label: { whiteSpace: 'normal', overflowWrap: 'anywhere', textAlign: 'left', lineHeight: 1.35 } },
} as const

/** Opens a person's saved views, and saves the list as it is: its search, filters, columns and order. */
export function ViewsMenu({ views, save, update, rename, remove }: ViewsMenuProps) {
  const { search } = useLocation()
  const { shown, changed, choose } = useChangedView(views, withoutPage(search))
  const toast = useToast()
  const [name, setName] = useState('')
  const [renamed, setRenamed] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const told = async (work: Promise<string | null>, done: () => void) => {
    const failed = await work
    setProblem(failed)
    if (failed === null) done()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted === '') return setProblem('Give the view a name.')
    const work = renamed === null ? save(wanted, withoutPage(search)) : rename(renamed, wanted)
    void told(work, () => {
      if (renamed === null)
        toast({ title: 'View saved', description: `'${wanted}' keeps this list as it is now.` })
      setName('')
      setRenamed(null)
    })
  }
  const edit = (of: string | null) => {
    setRenamed(of)
    setName(of ?? '')
    setProblem(null)
  }
  return (
    <ListMenu
      label="Views"
      text={shown !== null ? `Views: ${shown}` : changed !== null ? `Views (changed): ${changed}` : undefined}
      icon={<IconBookmark size={14} aria-hidden />}
      width={300}
      position="bottom-end"
    >
      {(close) => (
        <>
          {views.length === 0 ? (
            <Text size="sm" c="dimmed">
              A view keeps the search, filters, columns and order of this list. Only you see yours.
            </Text>
          ) : null}
          {views.map((view) => (
            <SavedViewRow
              key={view.name}
              view={view}
              onOpen={() => {
                choose(view.name)
                close()
              }}
              onRename={() => edit(view.name)}
              onDelete={() => void told(remove(view.name), () => edit(null))}
            />
          ))}
          {changed === null ? null : (
            <Button
              size="compact-sm"
              variant="default"
              {...wraps}
              onClick={() =>
                void told(update(changed, withoutPage(search)), () => {
                  close()
                  toast({ title: 'View updated', description: `'${changed}' keeps this list as it is now.` })
                })
              }
            >
              Update view '{changed}'
            </Button>
          )}
          <form onSubmit={submit} noValidate>
            <Stack gap="xs">
              <TextInput
                label={renamed === null ? 'Save this list as' : `Rename ${renamed} to`}
                maxLength={60}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              {problem === null ? null : (
                <Alert color="red" role="alert" p="xs">
                  {problem}
                </Alert>
              )}
              <Group gap="xs">
                <Button type="submit" size="compact-sm">
                  {renamed === null ? 'Save' : 'Rename'}
                </Button>
                {renamed === null ? null : (
                  <Button size="compact-sm" variant="default" onClick={() => edit(null)}>
                    Keep the name
                  </Button>
                )}
              </Group>
            </Stack>
          </form>
        </>
      )}
    </ListMenu>
  )
}

type SavedViewRowProps = { view: SavedView; onOpen: () => void; onRename: () => void; onDelete: () => void }

function SavedViewRow({ view, onOpen, onRename, onDelete }: SavedViewRowProps) {
  const { pathname, search } = useLocation()
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        component={Link}
        to={`${pathname}${view.query === '' ? '' : `?${view.query}`}`}
        size="compact-sm"
        variant={view.query === withoutPage(search) ? 'light' : 'subtle'}
        flex={1}
        justify="flex-start"
        {...wraps}
        onClick={onOpen}
      >
        {view.name}
      </Button>
      <ActionIcon variant="subtle" aria-label={`Rename ${view.name}`} onClick={onRename}>
        <IconPencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" color="red" aria-label={`Delete ${view.name}`} onClick={onDelete}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

/** The view that the list shows, or was opened with and has been changed since; null where there is none. */
function useChangedView(views: readonly SavedView[], query: string) {
  const [chosen, choose] = useState<string | null>(null)
  const [seen, see] = useState('')
  const same = views.filter((view) => view.query === query)
  const shown = JSON.stringify([query, views])
  if (seen !== shown) {
    see(shown)
    // The view stays chosen while its filters are changed, until the list shows all again.
    if (same.length > 0) choose((same.find(({ name }) => name === chosen) ?? same[0])?.name ?? null)
    else if (query === '') choose(null)
  }
  const kept = views.some(({ name }) => name === chosen) ? chosen : null
  return { shown: same.length > 0 ? kept : null, changed: same.length > 0 ? null : kept, choose }
}

/** A view opens at its first page. */
function withoutPage(search: string): string {
  const params = new URLSearchParams(search)
  params.delete('page')
  return params.toString()
}
