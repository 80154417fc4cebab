import { IconPackage } from '@tabler/icons-react';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { storePartsWords } from '../store-parts.words.ts';
import classes from './product-picture.module.css';

/** A product's picture, or an icon in its place; loading shifts no layout. */
export const ProductPicture = ({
  product,
  size = 'small',
}: {
  readonly product: Pick<Product, 'id' | 'name' | 'picture'>;
  /** Decorative next to the product's name; described when it stands alone. */
  readonly size?: 'small' | 'large';
}) => {
  const words = useWords(storePartsWords);
  const { id, picture, name } = product;
  const read = useRead(storeHttp.picture, { params: { id } }, { enabled: picture !== null });
  return (
    <span className={classes[size]}>
      {picture && read.data ? (
        <img
          src={`data:${read.data.mediaType};base64,${read.data.picture}`}
          alt={size === 'large' ? words.picture(name) : ''}
        />
      ) : (
        <IconPackage size={size === 'large' ? 48 : 18} aria-hidden />
      )}
    </span>
  );
};
