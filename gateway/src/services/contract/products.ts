/** The products that a key can be limited to. */
import products from '@presenza/contract/products.json';

/** An id of `products.json`. */
export type ProductId = 'faceDetection' | 'faceComparison' | 'livenessVerification' | 'imageModeration';

export const productIds = products.map(({ id }) => id) as readonly ProductId[];

export function productLabel(product: ProductId): string {
  return products.find(({ id }) => id === product)?.label ?? product;
}
