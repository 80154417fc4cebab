import { ActionIcon, Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Member } from '#contracts/people/members.ts';
import type { Product } from '#contracts/store/store.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { MemberPicker } from '../member-picker.tsx';
import { OrderPreviewView } from '../store-parts/order-preview-view.tsx';
import { type OrderWish, useOrderPreview, usePlaceOrder } from '../store-parts/use-place-order.ts';
import { usePoints } from '../use-points.ts';
import { useProducts } from '../use-products.ts';
import { ordersWords } from './orders.words.ts';

interface Wanted {
  readonly productId: string;
  readonly quantity: number | string;
}

const mostLines = 20;
const mostPieces = 1000;
const isCount = (quantity: number | string): quantity is number =>
  typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 1 && quantity <= mostPieces;

/** Orders for a member, after a preview of the price and the commands. */
export const NewOrder = ({
  payer: begun,
  onClose,
}: {
  readonly payer: Member | null;
  readonly onClose: () => void;
}) => {
  const words = useWords(ordersWords);
  const { points } = usePoints();
  const [payer, setPayer] = useState(begun);
  const [isGift, setIsGift] = useState(false);
  const [receiver, setReceiver] = useState<Member | null>(null);
  const [wanted, setWanted] = useState<readonly Wanted[]>([]);
  const [typedCode, setTypedCode] = useState('');
  const [code, setCode] = useState('');
  const products = useProducts(false);
  const all = products.rows;
  const nameOf = (id: string) => all.find((product) => product.id === id)?.name ?? id;
  const placing = usePlaceOrder();

  const isChosen =
    payer !== null &&
    wanted.length > 0 &&
    wanted.every(({ quantity }) => isCount(quantity)) &&
    (!isGift || receiver !== null);
  const wish: OrderWish | null = isChosen
    ? {
        memberId: payer.id,
        ...(isGift && receiver && { receiverId: receiver.id }),
        lines: wanted.map(({ productId, quantity }) => ({ productId, quantity: Number(quantity) })),
        ...(code !== '' && { discountCode: code }),
      }
    : null;
  const preview = useOrderPreview(wish);
  const { data } = preview;
  const isReady = data !== undefined && data.refusals.length === 0 && typedCode.trim() === code;

  const order = async () => {
    if (!wish || !data) return;
    const placed = await placing.place({ ...wish, expectedTotal: data.total });
    if (!placed) return;
    notifyDone(words.placed);
    onClose();
    goTo(`/orders/${placed.id}`);
  };
  return (
    <FormDialog
      title={words.newTitle}
      size="lg"
      act={data && data.total > 0 ? words.orderFor(points(data.total)) : words.order}
      isActing={placing.isPlacing}
      isReady={isReady}
      error={placing.error}
      onSubmit={() => void order()}
      onClose={onClose}
      staysWhileActing
    >
      <MemberPicker label={words.payer} value={payer} onChange={setPayer} isFirst={begun === null} />
      <Switch
        label={words.gift}
        checked={isGift}
        onChange={({ currentTarget }) => setIsGift(currentTarget.checked)}
      />
      {isGift && (
        <MemberPicker
          label={words.giftFor}
          value={receiver}
          onChange={setReceiver}
          {...(payer && { without: payer.id })}
        />
      )}
      <WantedProducts products={all} wanted={wanted} onChange={setWanted} isKnown={!products.isPending} />
      <Group align="flex-end" gap="xs">
        <TextInput
          label={words.code}
          value={typedCode}
          onChange={({ currentTarget }) => setTypedCode(currentTarget.value)}
          onBlur={() => setCode(typedCode.trim())}
          maxLength={100}
          autoComplete="off"
          flex={1}
        />
        <Button
          variant="default"
          onClick={() => setCode(typedCode.trim())}
          disabled={typedCode.trim() === code}
        >
          {words.useCode}
        </Button>
      </Group>
      {wish && preview.error && <Trouble error={preview.error} onRetry={() => preview.refetch()} />}
      {wish && preview.isPending && !preview.error && <Loading rows={2} />}
      {wish && data && <OrderPreviewView preview={data} nameOf={nameOf} hasCode={code !== ''} />}
    </FormDialog>
  );
};

const WantedProducts = (props: {
  readonly products: readonly Product[];
  readonly isKnown: boolean;
  readonly wanted: readonly Wanted[];
  readonly onChange: (wanted: readonly Wanted[]) => void;
}) => {
  const { products, isKnown, wanted, onChange } = props;
  const words = useWords(ordersWords);
  const { price } = usePoints();
  const offered = products.filter(
    ({ id, notForSale }) => notForSale === null && !wanted.some(({ productId }) => productId === id),
  );
  const nameOf = (id: string) => products.find((product) => product.id === id)?.name ?? id;
  if (isKnown && wanted.length === 0 && offered.length === 0)
    return (
      <Text>
        {words.noProducts} <PanelLink to="/store">{words.toStore}</PanelLink>
      </Text>
    );
  return (
    <Stack gap="xs">
      {wanted.map(({ productId, quantity }) => (
        <Group key={productId} gap="xs" wrap="nowrap">
          <Text flex={1} miw={0}>
            <bdi>{nameOf(productId)}</bdi>
          </Text>
          <NumberInput
            aria-label={`${words.quantity}: ${nameOf(productId)}`}
            value={quantity}
            onChange={(typed) =>
              onChange(wanted.map((one) => (one.productId === productId ? { ...one, quantity: typed } : one)))
            }
            min={1}
            max={mostPieces}
            allowDecimal={false}
            allowNegative={false}
            w="6rem"
          />
          <ActionIcon
            variant="default"
            aria-label={words.removeProduct(nameOf(productId))}
            onClick={() => onChange(wanted.filter((one) => one.productId !== productId))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {wanted.length < mostLines && (
        <Select
          label={wanted.length === 0 ? words.products : words.addProduct}
          placeholder={words.chooseProduct}
          data={offered.map((product) => ({
            value: product.id,
            label: `${product.name} · ${price(product.currentPrice)}`,
          }))}
          value={null}
          onChange={(id) => id !== null && onChange([...wanted, { productId: id, quantity: 1 }])}
          searchable
          withAsterisk={wanted.length === 0}
        />
      )}
    </Stack>
  );
};
