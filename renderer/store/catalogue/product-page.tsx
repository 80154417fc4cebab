import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconArchive, IconArchiveOff, IconCopy, IconTestPipe } from '@tabler/icons-react';
import { useState } from 'react';
import { games } from '#contracts/servers/games.ts';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { FoundPage } from '../../kit/design/found-page.tsx';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { LineText } from '../store-parts/line-text.tsx';
import { PriceText } from '../store-parts/price-text.tsx';
import { useProductNames } from '../store-parts/use-product-names.ts';
import { catalogueWords } from './catalogue.words.ts';
import { PictureCard } from './picture-card.tsx';
import { fieldsOf } from './product-draft.ts';
import { ProductEditor } from './product-editor.tsx';
import { type ProductEdit, presentEdit } from './product-edits.ts';
import { SaleLabel } from './sale-label.tsx';
import { storeWords } from './store.words.ts';
import { TestOrder } from './test-order.tsx';

/** Shown while no one answers for the commands of a product. */
const ApprovalNotice = ({
  product,
  onApproved,
}: {
  readonly product: Product;
  readonly onApproved: (saved: Product) => void;
}) => {
  const words = useWords(storeWords).approval;
  const can = useCan();
  const approve = useChange(storeHttp.approve, [storeHttp.products, storeHttp.read]);
  const { id, name, version, approval } = product;
  if (approval === null || approval.state === 'approved') return null;
  const send = async () => {
    onApproved(await approve.mutateAsync({ params: { id }, body: { version } }));
    notifyDone(words.approved(name));
  };
  return (
    <Alert
      color="var(--tone-warn)"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.title}
    >
      <Stack gap="xs" align="flex-start">
        <Text>{approval.state === 'missing' ? words.missing : words.ended(approval.by)}</Text>
        <Text>{words.how}</Text>
        {can('store.write') && (
          <Button
            size="xs"
            variant="default"
            loading={approve.isPending}
            onClick={() => send().catch(notifyTrouble)}
          >
            {words.approve}
          </Button>
        )}
      </Stack>
    </Alert>
  );
};

/** A product for readers who may not change it. */
const ProductFacts = ({ product }: { readonly product: Product }) => {
  const words = useWords(storeWords);
  const format = useFormat();
  const { nameOf } = useProductNames();
  return (
    <Card title={words.about}>
      <Facts
        facts={[
          { label: words.game, value: games[product.game].name },
          {
            label: words.price,
            value: (
              <PriceText basePrice={product.price} price={product.currentPrice} until={product.priceUntil} />
            ),
          },
          { label: words.category, value: <bdi>{product.category || '–'}</bdi> },
          { label: words.descriptionField, value: <bdi>{product.description || '–'}</bdi> },
          {
            label: words.stock,
            value: product.stock === null ? words.unlimited : format.number(product.stock),
          },
          {
            label: words.wipe,
            value: product.onWipe === 'nothing' ? words.wipeNothing : words.wipeRegrants(product.regrantMost),
          },
          {
            label: words.gives,
            value: (
              <List listStyleType="none">
                {product.lines.map((line, position) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
                  <List.Item key={position}>
                    {line.kind === 'product' ? (
                      <span>
                        {line.quantity} × <bdi>{nameOf(line.productId)}</bdi>
                      </span>
                    ) : (
                      <LineText line={line} />
                    )}
                  </List.Item>
                ))}
              </List>
            ),
          },
        ]}
      />
    </Card>
  );
};

/** The limit for a product's name, in characters. */
const longestName = 80;

export const ProductPage = ({ id }: { readonly id: string }) => {
  const words = useWords(storeWords);
  return (
    <FoundPage
      endpoint={storeHttp.read}
      id={id}
      everyMs={pollMs.usual}
      words={words}
      back={{ to: '/store', label: words.all }}
    >
      {(product) => <ProductView newest={product} />}
    </FoundPage>
  );
};

const stale = [storeHttp.products, storeHttp.read];

const ProductView = ({ newest }: { readonly newest: Product }) => {
  const words = useWords(storeWords);
  const can = useCan();
  const mayChange = can('store.write');
  const [doing, setDoing] = useState<'test' | 'archive' | null>(null);
  /** The product that the fields started from. */
  const [begun] = useState<ProductEdit>(
    () => presentEdit(newest.id) ?? { base: newest, fields: fieldsOf(newest), version: newest.version },
  );
  /** The version to save over; other buttons of this page raise it without touching the fields. */
  const [version, setVersion] = useState(begun.version);
  const change = useChange(storeHttp.change, stale);
  const archive = useChange(storeHttp.archive, stale);
  const release = useChange(storeHttp.release, stale);
  const duplicate = useChange(storeHttp.duplicate, [storeHttp.products]);
  const catalogue = useWords(catalogueWords);
  const { id, name } = newest;
  const isArchived = newest.archivedAt !== null;
  const setArchived = async (archived: boolean) => {
    const saved = await archive.mutateAsync({ params: { id }, body: { version: newest.version, archived } });
    if (newest.version === version) setVersion(saved.version);
    notifyDone((archived ? words.archivedDone : words.restored)(name));
  };
  const sellAgain = async () => {
    const saved = await release.mutateAsync({ params: { id }, body: { version: newest.version } });
    if (newest.version === version) setVersion(saved.version);
    notifyDone(words.released(name));
  };

  const makeCopy = async () => {
    const copyName =
      [...catalogue.copyName(name)].length > longestName ? undefined : catalogue.copyName(name);
    const body = copyName === undefined ? {} : { name: copyName };
    const made = await duplicate.mutateAsync({ params: { id }, body });
    notifyDone(catalogue.duplicated(made.name));
    goTo(`/store/${made.id}`);
  };

  const actions = mayChange && (
    <>
      <Button
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
        loading={duplicate.isPending}
        onClick={() => makeCopy().catch(notifyTrouble)}
      >
        {catalogue.duplicate}
      </Button>
      <Button
        variant="default"
        leftSection={
          isArchived ? <IconArchiveOff size={16} aria-hidden /> : <IconArchive size={16} aria-hidden />
        }
        loading={isArchived && archive.isPending}
        onClick={() => (isArchived ? setArchived(false).catch(notifyTrouble) : setDoing('archive'))}
      >
        {isArchived ? words.restore : words.archive}
      </Button>
      {can('orders.write') && can('members.read') && !isArchived && (
        <Button leftSection={<IconTestPipe size={16} aria-hidden />} onClick={() => setDoing('test')}>
          {words.test.open}
        </Button>
      )}
    </>
  );
  return (
    <Frame
      title={name}
      description={
        <Group gap="xs">
          <PanelLink to="/store">{words.all}</PanelLink>
          <SaleLabel product={newest} isFull />
        </Group>
      }
      actions={actions}
    >
      {newest.heldAt !== null && (
        <Alert
          color="var(--tone-warn)"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={words.heldTitle}
        >
          <p>
            <Said reason={newest.heldWhy} detail={newest.heldReason} />
          </p>
          {mayChange && (
            <>
              <p>{words.heldText}</p>
              <Button
                size="xs"
                variant="default"
                loading={release.isPending}
                onClick={() => sellAgain().catch(notifyTrouble)}
              >
                {words.release}
              </Button>
            </>
          )}
        </Alert>
      )}
      <ApprovalNotice
        product={newest}
        onApproved={(saved) => {
          if (newest.version === version) setVersion(saved.version);
        }}
      />
      {mayChange ? (
        <ProductEditor
          product={begun.base}
          begun={begun.fields}
          newest={newest}
          version={version}
          send={async (body, over, base) => {
            const saved = await change.mutateAsync({
              params: { id },
              body: { ...body, version: over, ...(base && { stockWas: base.stock }) },
            });
            setVersion(saved.version);
            notifyDone(words.saved(saved.name));
            return saved;
          }}
        />
      ) : (
        <ProductFacts product={newest} />
      )}
      <PictureCard
        product={newest}
        mayChange={mayChange}
        onSaved={(saved) => {
          if (newest.version === version) setVersion(saved.version);
        }}
      />
      {doing === 'test' && <TestOrder product={newest} onClose={() => setDoing(null)} />}
      {doing === 'archive' && (
        <ConfirmAction
          title={words.archiveTitle(name)}
          act={words.archive}
          onAction={() => setArchived(true)}
          onClose={() => setDoing(null)}
        >
          {words.archiveText}
        </ConfirmAction>
      )}
    </Frame>
  );
};
