import { useEffect, useState } from "preact/hooks";
import { api } from "./api";

/** The names of the operator's engines that play by the rules; none until the server has answered. */
export function useEngines(rules: string): string[] {
  const [known, setKnown] = useState<{ rules: string; engines: string[] }>({ rules, engines: [] });
  useEffect(() => {
    let wanted = true;
    api.checkRules(rules).then(
      ({ engines }) => wanted && setKnown({ rules, engines }),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [rules]);
  return known.rules === rules ? known.engines : [];
}
