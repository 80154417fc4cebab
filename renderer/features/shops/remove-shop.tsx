import { Text } from '@mantine/core';
import { type Shop, shopsHttp } from '#contracts/shops.ts';
import { ConfirmAction } from '../../design/confirm-action.tsx';
import { notifyDone } from '../../design/notify.ts';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { shopsWords } from './shops.words.ts';

export interface RemoveShopProps {
  readonly shop: Shop;
  readonly onClose: () => void;
}

/** Removes a shop; one with orders is switched off instead. */
export const RemoveShop = ({ shop, onClose }: RemoveShopProps) => {
  const words = useWords(shopsWords);
  const remove = useChange(shopsHttp.remove, [shopsHttp.list]);
  const change = useChange(shopsHttp.change, [shopsHttp.list]);
  const { id, version, name, game, allowsNames, checksAddress, hasOrders } = shop;
  if (!hasOrders)
    return (
      <ConfirmAction
        title={words.deleteTitle(name)}
        act={words.delete}
        onAction={async () => {
          await remove.mutateAsync({ params: { id } });
          notifyDone(words.deleted);
        }}
        onClose={onClose}
      >
        <Text>{words.deleteText}</Text>
      </ConfirmAction>
    );
  return (
    <ConfirmAction
      title={words.switchOffTitle(name)}
      act={words.switchOff}
      onAction={async () => {
        const body = { version, name, game, allowsNames, checksAddress, isEnabled: false };
        await change.mutateAsync({ params: { id }, body });
        notifyDone(words.switchedOff);
      }}
      onClose={onClose}
    >
      <Text>{words.switchOffText}</Text>
    </ConfirmAction>
  );
};
