/** As much of the package as specs use; it brings no types along. */
declare module 'parse-prometheus-text-format' {
  interface Family {
    readonly name: string
    readonly metrics: readonly { readonly value?: string; readonly labels?: Readonly<Record<string, string>> }[]
  }
  export default function parse(text: string): Family[]
}
