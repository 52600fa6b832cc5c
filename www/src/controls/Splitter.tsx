//! The inner edge of a side panel: drag it, or move it with the arrow keys.

interface Props {
  label: string;
  /** The side of the page that the panel is on. */
  side: "left" | "right";
  width: number;
  limits: { min: number; max: number };
  onChange(width: number): void;
}

const keyStep = 24;

export function Splitter({ label, side, width, limits, onChange }: Props) {
  const sign = side === "left" ? 1 : -1;
  const clamp = (value: number) => Math.round(Math.min(limits.max, Math.max(limits.min, value)));

  const onPointerDown = (event: PointerEvent) => {
    const handle = event.currentTarget as HTMLElement;
    const start = event.clientX;
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    const move = (moved: PointerEvent) => onChange(clamp(width + sign * (moved.clientX - start)));
    const stop = () => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", stop);
      handle.removeEventListener("pointercancel", stop);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", stop);
    handle.addEventListener("pointercancel", stop);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: keyStep, ArrowLeft: -keyStep }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onChange(clamp(width + sign * step));
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: one that is moved is a widget with a value; <hr> is a rule
    <div
      class={`splitter splitter-${side}`}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
