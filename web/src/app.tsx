import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { location } from "./router";
import { Missing } from "./ui/missing";

type Load<P> = () => Promise<ComponentType<P>>;

const pages = {
  home: (async () => (await import("./home/page")).HomePage) as Load<Record<string, never>>,
  create: (async () => (await import("./create/page")).CreatePage) as Load<{ rules: string }>,
  table: (async () => (await import("./table/page")).TablePage) as Load<{ id: string }>,
  rules: (async () => (await import("./rules/page")).RulesPage) as Load<{ id: string }>,
};

/** Shows a page once its code is here. */
function Later<P extends object>({ load, props }: { load: Load<P>; props: P }) {
  const [page, setPage] = useState<{ load: Load<P>; Page: ComponentType<P> } | null>(null);
  useEffect(() => {
    let wanted = true;
    void load().then((Page) => wanted && setPage({ load, Page }));
    return () => {
      wanted = false;
    };
  }, [load]);
  return page?.load === load ? <page.Page {...props} /> : <main class="waiting" aria-busy="true" />;
}

export function App() {
  const { path, query } = location.value;
  const [, first, second] = path.split("/");
  if (!first) return <Later load={pages.home} props={{}} />;
  if (first === "new")
    return <Later load={pages.create} props={{ rules: query.get("rules") ?? "xiangqi" }} />;
  if (first === "t" && second) return <Later key={second} load={pages.table} props={{ id: second }} />;
  if (first === "rules" && second) return <Later load={pages.rules} props={{ id: second }} />;
  return <Missing />;
}
