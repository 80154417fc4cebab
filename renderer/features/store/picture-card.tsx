import { Button, FileButton, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Product } from '#contracts/store.ts';
import { mostPictureBytes, storeHttp } from '#contracts/store-http.ts';
import { Card } from '../../design/card.tsx';
import { notifyDone } from '../../design/notify.ts';
import { Trouble } from '../../design/trouble.tsx';
import { useWords } from '../../language/use-words.ts';
import { ProductPicture } from '../../store-parts/product-picture.tsx';
import { useChange } from '../../wire/queries.ts';
import { storeWords } from './store.words.ts';

export interface PictureCardProps {
  readonly product: Product;
  readonly mayChange: boolean;
  readonly onSaved: (saved: Product) => void;
}

/** The API checks the bytes; the file's name does not matter. */
const base64Of = (file: File): Promise<string> => {
  const read = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => read.resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => read.reject(reader.error);
  reader.readAsDataURL(file);
  return read.promise;
};

export const PictureCard = ({ product, mayChange, onSaved }: PictureCardProps) => {
  const words = useWords(storeWords);
  const [error, setError] = useState<unknown>(null);
  const [isTooLarge, setIsTooLarge] = useState(false);
  const resetFile = useRef<() => void>(null);
  const change = useChange(storeHttp.setPicture, [storeHttp.products, storeHttp.read, storeHttp.picture]);
  const { id, version, picture } = product;

  const save = async (file: File | null) => {
    setError(null);
    setIsTooLarge(file !== null && file.size > mostPictureBytes);
    resetFile.current?.();
    if (file && file.size > mostPictureBytes) return;
    try {
      const bytes = file && (await base64Of(file));
      onSaved(await change.mutateAsync({ params: { id }, body: { version, picture: bytes } }));
      notifyDone(file ? words.pictureSaved : words.pictureRemoved);
    } catch (failure) {
      setError(failure);
    }
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
                accept="image/png,image/jpeg,image/webp"
                resetRef={resetFile}
                onChange={(file) => file && void save(file)}
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
      {isTooLarge && (
        <Text c="var(--tone-bad)" role="alert">
          {words.pictureLarge}
        </Text>
      )}
      {error !== null && <Trouble error={error} />}
    </Card>
  );
};
