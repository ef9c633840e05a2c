/** Deleting objects in R2. Deleting again does no harm. */

/** What one call to R2 takes and lists. */
const PAGE = 1000

/** A ref that ends with a slash stands for everything under it. */
export async function removeObjects(
  bucket: Pick<R2Bucket, 'delete' | 'list'>,
  refs: readonly string[],
): Promise<void> {
  const keys = refs.filter((ref) => !ref.endsWith('/'))
  for (let at = 0; at < keys.length; at += PAGE) await bucket.delete(keys.slice(at, at + PAGE))
  for (const folder of refs.filter((ref) => ref.endsWith('/'))) await removeFolder(bucket, folder)
}

async function removeFolder(bucket: Pick<R2Bucket, 'delete' | 'list'>, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix, limit: PAGE })
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
    if (!truncated) return
  }
}
