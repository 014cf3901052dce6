import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'

type Page = { title: string; path: string }
type Pages = { name: string | null; recents: Page[]; show: (page: Page | null) => void }

const PagesContext = createContext<Pages>({ name: null, recents: [], show: () => {} })

const recentMax = 5

/** Lets a screen tell the frame around it whose record it shows. What was shown is forgotten with the frame. */
export function PageNameHost({ children }: { children: ReactNode }) {
  const [name, setName] = useState<string | null>(null)
  const [recents, setRecents] = useState<Page[]>([])
  const show = useCallback((page: Page | null) => {
    setName(page?.title ?? null)
    if (page === null) return
    setRecents((known) => [page, ...known.filter(({ path }) => path !== page.path)].slice(0, recentMax))
  }, [])
  const pages = useMemo(() => ({ name, recents, show }), [name, recents, show])
  return <PagesContext value={pages}>{children}</PagesContext>
}

/** Returns the name of the record that the screen shows; null until that is known. */
export function usePageName(): string | null {
  return useContext(PagesContext).name
}

/** Returns the records that were shown last, the newest first. */
export function useRecentPages(): Page[] {
  return useContext(PagesContext).recents
}

/** A screen of one record calls this with the name of the record, for the breadcrumb and the command menu. */
export function useNamedPage(title: string): void {
  const { show } = useContext(PagesContext)
  const { pathname: path } = useLocation()
  useEffect(() => {
    show({ title, path })
    return () => show(null)
  }, [title, path, show])
}
