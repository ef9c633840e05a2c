/** What is used of the package, which brings no types. */
declare module 'marked' {
  export class Renderer {
    table(header: string, body: string): string
    listitem(text: string, task: boolean): string
    link(href: string | null, title: string | null, text: string): string
    html(html: string): string
  }

  export const marked: {
    parse(markdown: string, options: { renderer: Renderer; mangle: boolean; headerIds: boolean }): string
  }
}
