/** Public keys by which a client proves who it is (RFC 7517): what an operator may register, no more than its public members. */
import { z } from '@hono/zod-openapi'
import { closedEnum, noted } from './enums.ts'

/** Of 2048 to 4096 bits, in base64url. */
const modulus = /^[A-Za-z0-9_-]{342,683}$/
const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: 'Must be 32 bytes in base64url.' })

/** Members that tools write into a key beside those that make it; none of them matters here. */
const common = {
  kid: z.string().min(1).max(128).optional().meta({ description: 'As the assertions name it, if they do.' }),
  use: z.literal('sig').optional(),
  key_ops: z.array(z.literal('verify')).max(1).optional(),
  ext: z.boolean().optional(),
}

const EcKey = z
  .strictObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: coordinate,
    y: coordinate,
    alg: z.literal('ES256').optional(),
    ...common,
  })
  .meta({ id: 'EcPublicKey', description: 'A key on the curve P-256, for ES256.' })

const OkpKey = z
  .strictObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: coordinate,
    alg: closedEnum('Ed25519Algorithm', ['EdDSA', 'Ed25519'], 'Two names of one algorithm.').optional(),
    ...common,
  })
  .meta({ id: 'Ed25519PublicKey', description: 'A key for Ed25519.' })

const RsaAlgorithm = closedEnum('RsaAlgorithm', ['RS256', 'PS256'], 'How a key signs.')

const RsaKey = z
  .strictObject({
    kty: z.literal('RSA'),
    n: z
      .string()
      .regex(modulus)
      .refine((n) => rsaBits(n) >= 2048 && rsaBits(n) <= 4096, { error: 'Must be of 2048 to 4096 bits.' }),
    e: z.literal('AQAB'),
    alg: noted(RsaAlgorithm, {
      description: 'The one algorithm that the key is for; default `RS256`.',
    }).optional(),
    ...common,
  })
  .meta({ id: 'RsaPublicKey', description: 'A key of 2048 to 4096 bits.' })

function rsaBits(n: string): number {
  // No bytes are spelt by one character more than a multiple of four.
  if (!modulus.test(n) || n.length % 4 === 1) return 0
  const bytes = atob(n.replaceAll('-', '+').replaceAll('_', '/'))
  const start = bytes.search(/[^\0]/)
  return start < 0 ? 0 : (bytes.length - start) * 8 - Math.clz32(bytes.charCodeAt(start)) + 24
}

export const PublicJwk = z
  .discriminatedUnion('kty', [EcKey, OkpKey, RsaKey])
  .meta({ id: 'PublicKey', description: 'A public key (RFC 7517).' })
export type PublicJwk = z.infer<typeof PublicJwk>

export const ClientKeys = z
  .strictObject({
    keys: z.array(PublicJwk).min(1).max(5).refine(haveNamesOfTheirOwn, { error: 'Two keys have one kid.' }),
  })
  .meta({
    id: 'ClientKeys',
    description:
      'A JSON Web Key Set (RFC 7517) of public keys: P-256 (ES256), Ed25519, or RSA of 2048 to 4096 bits (RS256 or PS256). Private members are refused.',
  })
export type ClientKeys = z.infer<typeof ClientKeys>

function haveNamesOfTheirOwn(keys: readonly { kid?: string | undefined }[]): boolean {
  const kids = keys.flatMap(({ kid }) => (kid === undefined ? [] : [kid]))
  return new Set(kids).size === kids.length
}

const RegisteredKey = z
  .looseObject({ kty: z.string(), kid: z.string().optional() })
  .meta({ id: 'RegisteredKey', description: 'A public key as it was registered (RFC 7517).' })

/** The same in answers. */
export const RegisteredKeys = z
  .object({ keys: z.array(RegisteredKey) })
  .meta({ id: 'RegisteredKeys', description: 'The public keys of a client.' })
