import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../i18n";

/** A dialog over the page: Esc and a touch outside close it, the focus stays inside. */
export function Dialog({
  label,
  onClose,
  children,
}: {
  label: string;
  onClose(): void;
  children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-label={label}
      onClose={onClose}
      onClick={(e) => e.target === ref.current && onClose()}
      onKeyDown={(e) => e.stopPropagation()}
    >
      <div class="body">
        <div class="row">
          <h2 class="grow">{label}</h2>
          <button type="button" class="btn" aria-label={texts().close} onClick={onClose}>
            ×
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
