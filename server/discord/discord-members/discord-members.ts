import type { OwnDelivery, ShopProduct } from '#contracts/discord/discord-users.ts';
import type { LedgerEntry, MemberDetails } from '#contracts/people/members.ts';
import type { Delivery, DeliveryState } from '#contracts/store/deliveries.ts';
import type { OrderDetails, OrderPreview, OrderRefusalWhy, OrderRequest } from '#contracts/store/orders.ts';
import type { Product } from '#contracts/store/store.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { AdminLinks } from '../discord-rights/admin-links.ts';

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}
interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

export interface DiscordMembersOptions {
  readonly members: {
    ofDiscord(discordId: string): Promise<MemberDetails | null>;
    openForDiscord(discordId: string, by: AuditContext): Promise<string>;
    unlinkDiscord(discordId: string, by: AuditContext): Promise<boolean>;
    linkCode(id: string, by: AuditContext): Promise<{ code: string; expiresAt: string } | Refusal>;
    redeem(id: string, code: string, by: AuditContext): Promise<MemberDetails | Refusal>;
    whoseCode(id: string, code: string, by: AuditContext): Promise<string | Refusal>;
  };
  readonly admins: AdminLinks;
  readonly forSale: (wanted: { readonly id?: string; readonly text?: string }) => Promise<readonly Product[]>;
  /** What players type before a code in the chat of games. */
  readonly typedLink: () => Promise<string>;
  readonly pictureOf: (productId: string) => Promise<{ mediaType: string; picture: string } | Refusal>;
  readonly ledgerOf: (memberId: string, page: PageQuery) => Promise<Page<LedgerEntry> | Refusal>;
  readonly orders: {
    preview(request: OrderRequest, actor: Actor): Promise<OrderPreview | Refusal>;
    place(request: OrderRequest, key: string | null, by: AuditContext): Promise<OrderDetails | Refusal>;
  };
  readonly deliveriesOf: (
    query: PageQuery & { readonly memberId: string; readonly state?: DeliveryState },
  ) => Promise<Page<Delivery>>;
}

interface Purchase {
  readonly productId: string;
  readonly quantity: number;
  readonly receiverId: string | null;
  readonly discountCode: string | null;
}

type Linked = 'member' | 'admin';

/** What people in Discord do for themselves. All of it is done, and audited, as the Discord account that acts. */
export const createDiscordMembers = (options: DiscordMembersOptions) => {
  const { members, admins, forSale, pictureOf, ledgerOf, orders, deliveriesOf } = options;

  /** Linked to a player, so that there is someone to deliver to. */
  const linked = async (discordId: string): Promise<MemberDetails | null> => {
    const member = await members.ofDiscord(discordId);
    return member && member.players.length > 0 ? member : null;
  };

  const requestOf = async (
    { productId, quantity, receiverId, discountCode }: Purchase,
    { id }: Actor,
  ): Promise<{ request: OrderRequest; receiver: MemberDetails } | Refusal> => {
    const payer = await linked(id);
    if (!payer) return refuse('DISCORD_NOT_LINKED');
    const receiver = receiverId === null || receiverId === id ? payer : await linked(receiverId);
    if (!receiver) return refuse('RECEIVER_NOT_LINKED');
    return {
      request: {
        memberId: payer.id,
        ...(receiver === payer ? {} : { receiverId: receiver.id }),
        lines: [{ productId, quantity }],
        ...(discountCode === null ? {} : { discountCode }),
        isTest: false,
      },
      receiver,
    };
  };

  return {
    async me({ id, permissions }: Actor) {
      const [member, adminName] = await Promise.all([linked(id), admins.nameOf(id)]);
      return {
        member: member && {
          id: member.id,
          name: member.name,
          balance: member.balance,
          players: member.players.map(({ name, game }) => ({ name, game })),
        },
        adminName,
        permissions: [...permissions],
      };
    },

    async linkCode(by: AuditContext) {
      const issued = await members.linkCode(await members.openForDiscord(by.actor.id, by), by);
      return isRefusal(issued) ? issued : { ...issued, typed: await options.typedLink() };
    },

    /** @returns `linked` null: nothing yet, since the person has something to lose and was not asked */
    async link(
      { code, isConfirmed }: { readonly code: string; readonly isConfirmed: boolean },
      by: AuditContext,
    ): Promise<{ linked: Linked | null; name: string } | Refusal> {
      if (admins.isCode(code)) {
        const name = await admins.redeem(code, by);
        return isRefusal(name) ? name : { linked: 'admin', name };
      }
      const id = await members.openForDiscord(by.actor.id, by);
      const own = await members.ofDiscord(by.actor.id);
      if (!isConfirmed && own && own.players.length + own.balance > 0) {
        const name = await members.whoseCode(id, code, by);
        return isRefusal(name) ? name : { linked: null, name };
      }
      const member = await members.redeem(id, code, by);
      return isRefusal(member) ? member : { linked: 'member', name: member.name };
    },

    async unlink(by: AuditContext): Promise<{ unlinked: Linked[] }> {
      const discordId = by.actor.id;
      const unlinked: Linked[] = [];
      if (await members.unlinkDiscord(discordId, by)) unlinked.push('member');
      if (await admins.unlink({ discordId }, by)) unlinked.push('admin');
      return { unlinked };
    },

    async ledger({ id }: Actor, page: PageQuery) {
      const member = await linked(id);
      return member ? ledgerOf(member.id, page) : refuse('DISCORD_NOT_LINKED');
    },

    async products({ text, offset, limit }: { text: string; offset: number; limit: number }) {
      const wanted = nameKey(text);
      const all = await forSale({ text });
      // A whole name that was typed means its product, however many others contain it.
      const isMeant = ({ name }: Product) => nameKey(name) === wanted;
      const found = [...all.filter(isMeant), ...all.filter((product) => !isMeant(product))];
      return { rows: found.slice(offset, offset + limit).map(toShopProduct), total: found.length };
    },

    async picture(productId: string) {
      const [sold] = await forSale({ id: productId });
      return sold ? pictureOf(productId) : refuse('NOT_FOUND');
    },

    async preview(purchase: Purchase, actor: Actor) {
      const asked = await requestOf(purchase, actor);
      if (isRefusal(asked)) return asked;
      const preview = await orders.preview(asked.request, actor);
      if (isRefusal(preview)) return preview;
      const [product] = await forSale({ id: purchase.productId });
      return {
        product: product ? toShopProduct(product) : null,
        receiverName: asked.receiver.name,
        total: preview.total,
        balance: preview.balance,
        discount: preview.discount,
        refusals: preview.refusals.map(({ why }): OrderRefusalWhy => why),
      };
    },

    async order(
      purchase: Purchase & { readonly expectedTotal: number },
      key: string | null,
      by: AuditContext,
    ) {
      // Without a key, no one could tell a second click from a second order.
      if (key === null) return refuse('IDEMPOTENCY_KEY_INVALID');
      const asked = await requestOf(purchase, by.actor);
      if (isRefusal(asked)) return asked;
      const { expectedTotal } = purchase;
      const order = await orders.place({ ...asked.request, expectedTotal }, key, by);
      if (isRefusal(order)) return order;
      const balance = (await members.ofDiscord(by.actor.id))?.balance ?? 0;
      return { orderId: order.id, total: order.total, balance };
    },

    async deliveries({ id }: Actor, page: PageQuery): Promise<Page<OwnDelivery> | Refusal> {
      const member = await linked(id);
      if (!member) return refuse('DISCORD_NOT_LINKED');
      const { rows, nextCursor } = await deliveriesOf({ ...page, memberId: member.id });
      return { rows: rows.map(toOwnDelivery), nextCursor };
    },
  };
};

const toShopProduct = (product: Product): ShopProduct => ({
  id: product.id,
  name: product.name,
  description: product.description,
  category: product.category,
  price: product.currentPrice,
  basePrice: product.price,
  priceUntil: product.priceUntil,
  game: product.game,
  stock: product.stock,
  picture: product.picture?.sha256 ?? null,
});

const toOwnDelivery = (delivery: Delivery): OwnDelivery => ({
  id: delivery.id,
  createdAt: delivery.createdAt,
  productName: delivery.productName,
  quantity: delivery.line.quantity,
  state: delivery.state,
  waitsFor: delivery.waitsFor,
  isRefunded: delivery.refundedAt !== null && delivery.points > 0,
});

export type DiscordMembers = ReturnType<typeof createDiscordMembers>;
