import { Button, FileButton, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Product } from '#contracts/store/store.ts';
import { pictureLimits, storeHttp } from '#contracts/store/store-http.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { base64Of } from '../../kit/pictures/base64-of.ts';
import { pictureTypes, shrinkPicture } from '../../kit/pictures/shrink-picture.ts';
import { ProductPicture } from '../store-parts/product-picture.tsx';
import { storeWords } from './store.words.ts';

export const PictureCard = ({
  product,
  mayChange,
  onSaved,
}: {
  readonly product: Product;
  readonly mayChange: boolean;
  readonly onSaved: (saved: Product) => void;
}) => {
  const words = useWords(storeWords);
  const [error, setError] = useState<unknown>(null);
  const [isUnusable, setIsUnusable] = useState(false);
  const resetFile = useRef<() => void>(null);
  const change = useChange(storeHttp.setPicture, [storeHttp.products, storeHttp.read, storeHttp.picture]);
  const { id, version, picture } = product;

  const save = async (drawn: Blob | null) => {
    setError(null);
    setIsUnusable(false);
    try {
      const bytes = drawn && (await base64Of(drawn));
      onSaved(await change.mutateAsync({ params: { id }, body: { version, picture: bytes } }));
      notifyDone(drawn ? words.pictureSaved : words.pictureRemoved);
    } catch (failure) {
      setError(failure);
    }
  };
  /** Draws the picture again: the API removes a photo's metadata, and with it the camera's orientation. */
  const choose = async (file: File) => {
    resetFile.current?.();
    const drawn = await shrinkPicture(file, pictureLimits);
    if (drawn) return save(drawn);
    setError(null);
    setIsUnusable(true);
  };
  return (
    <Card title={words.picture}>
      <Group align="flex-start">
        <ProductPicture key={picture?.sha256} product={product} size="large" />
        {mayChange && (
          <div>
            <Text size="sm" c="dimmed" mb="xs">
              {words.pictureHelp}
            </Text>
            <Group gap="xs">
              <FileButton
                accept={pictureTypes.join(',')}
                resetRef={resetFile}
                onChange={(file) => file && void choose(file)}
                inputProps={{ 'aria-label': words.choosePicture }}
              >
                {(props) => (
                  <Button {...props} variant="default" loading={change.isPending}>
                    {picture ? words.changePicture : words.choosePicture}
                  </Button>
                )}
              </FileButton>
              {picture && (
                <Button variant="subtle" disabled={change.isPending} onClick={() => void save(null)}>
                  {words.removePicture}
                </Button>
              )}
            </Group>
          </div>
        )}
      </Group>
      {isUnusable && (
        <Text c="var(--tone-bad)" role="alert">
          {words.pictureUnusable}
        </Text>
      )}
      {error !== null && <Trouble error={error} />}
    </Card>
  );
};
