/** Whether a type tells anything: `any`, `unknown` and `never` do not. */
type IsAny<T> = 0 extends 1 & T ? true : false
type Tells<T> = IsAny<T> extends true ? false : [T] extends [never] ? false : unknown extends T ? false : true

/** The names of those that tell nothing. */
export type Untold<Types> = {
  [Name in keyof Types]: Tells<Types[Name]> extends true ? never : Name
}[keyof Types]

/** The same of the fields of one of them, as `Job.usage`; what stands under any name at all is not asked about. */
export type UntoldFields<Name extends string, T> = T extends readonly unknown[]
  ? never
  : {
      [Field in keyof T & string]: string extends Field
        ? never
        : Tells<T[Field]> extends true
          ? never
          : `${Name}.${Field}`
    }[keyof T & string]

/** Does not compile, and names them, unless there are none. */
export type NoneOf<Names extends never> = Names
