/** The field that limits answers to paths: `src !test *.ts`. */

export function PathsField({
  value,
  placeholder = "src !test *.ts",
  onInput,
}: {
  value: string;
  placeholder?: string;
  onInput(value: string): void;
}) {
  return (
    <label class="filter-field">
      <span>In paths</span>
      <input
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
