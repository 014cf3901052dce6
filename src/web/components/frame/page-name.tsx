import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

type PageName = { name: string | null; setName: (name: string | null) => void }

const PageNameContext = createContext<PageName>({ name: null, setName: () => {} })

/** Lets a screen tell the frame around it whose record it shows. */
export function PageNameHost({ children }: { children: ReactNode }) {
  const [name, setName] = useState<string | null>(null)
  return <PageNameContext value={{ name, setName }}>{children}</PageNameContext>
}

/** Returns the name of the record that the screen shows; null until that is known. */
export function usePageName(): string | null {
  return useContext(PageNameContext).name
}

/** A screen of one record calls this with the name of the record, for the breadcrumb of the header. */
export function useNamedPage(name: string): void {
  const { setName } = useContext(PageNameContext)
  useEffect(() => {
    setName(name)
    return () => setName(null)
  }, [name, setName])
}
