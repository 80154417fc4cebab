import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Shop, shopsHttp } from '#contracts/shops.ts';
import { useCan } from '../../access/access-state.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { Together } from '../../design/together.tsx';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import { RemoveShop } from './remove-shop.tsx';
import { type OpenedDialog, ShopCard } from './shop-card.tsx';
import { ShopDialog } from './shop-dialog.tsx';
import { ShopOrdersList } from './shop-orders-list.tsx';
import { ShopProductsDialog } from './shop-products-dialog.tsx';
import { ShopSecretsDialog } from './shop-secrets-dialog.tsx';
import { shopsWords } from './shops.words.ts';
import { WaitingOrders } from './waiting-orders.tsx';

const everyMs = 10_000;

interface Opened {
  /** Null: a new one. */
  readonly shop: Shop | null;
  readonly dialog: OpenedDialog;
  /** Products of the shop that an order waits for. */
  readonly missing?: readonly string[];
}

/** Shops outside Castellan, and the orders that they report. */
export const Page = () => {
  const words = useWords(shopsWords);
  const mayChange = useCan()('shops.write');
  const read = useRead(shopsHttp.list, {}, { everyMs });
  const [opened, setOpened] = useState<Opened | null>(null);
  const shops = read.data?.rows ?? [];
  const newest = shops.find(({ id }) => id === opened?.shop?.id) ?? opened?.shop ?? null;
  const close = () => setOpened(null);
  const add = mayChange && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setOpened({ shop: null, dialog: 'fields' })}
    >
      {words.add}
    </Button>
  );
  return (
    <Frame title={words.title} description={words.description} actions={shops.length > 0 && add}>
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title={words.none} text={words.noneText} action={add} example="items" />
          ) : (
            <Together>
              <WaitingOrders
                mayDecide={mayChange}
                onAssign={({ shopId, detail }) =>
                  setOpened({
                    shop: rows.find(({ id }) => id === shopId) ?? null,
                    dialog: 'products',
                    missing: detail.split(', '),
                  })
                }
              />
              {rows.map((shop) => (
                <ShopCard
                  key={shop.id}
                  shop={shop}
                  mayChange={mayChange}
                  onOpen={(dialog) => setOpened({ shop, dialog })}
                />
              ))}
              <ShopOrdersList shops={rows} mayDecide={mayChange} />
            </Together>
          )
        }
      </AsyncContent>
      {opened?.dialog === 'fields' && (
        <ShopDialog begun={opened.shop} newest={newest} readNewest={() => read.refetch()} onClose={close} />
      )}
      {opened?.dialog === 'products' && opened.shop && newest && (
        <ShopProductsDialog
          begun={opened.shop}
          newest={newest}
          missing={opened.missing}
          readNewest={() => read.refetch()}
          onClose={close}
        />
      )}
      {opened?.dialog === 'secrets' && newest && <ShopSecretsDialog shop={newest} onClose={close} />}
      {opened?.dialog === 'remove' && newest && <RemoveShop shop={newest} onClose={close} />}
    </Frame>
  );
};
