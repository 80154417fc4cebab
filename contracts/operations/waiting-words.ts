import { plural } from '../kernel/language.ts';
import { defineWords } from '../kernel/words.ts';
import type { WaitingKind } from './waiting.ts';

type Things = Readonly<Record<WaitingKind, (count: number) => string>>;

const en: Things = {
  damage: () => 'The database is damaged',
  backups: () => 'A backup failed or is overdue',
  license: () => 'The license needs you',
  deliveries: (count) => plural.en(count, 'delivery needs a decision', 'deliveries need a decision'),
  'shop-orders': (count) => plural.en(count, 'external order waits', 'external orders wait'),
  'shop-orders-left': (count) =>
    plural.en(
      count,
      'refunded external order left something in the game',
      'refunded external orders left something in the game',
    ),
  removals: (count) => plural.en(count, 'removal is overdue', 'removals are overdue'),
  seasons: () => 'A season is not complete',
  approvals: (count) => plural.en(count, 'product needs approval', 'products need approval'),
  'held-products': (count) =>
    plural.en(count, 'product is off sale until you check it', 'products are off sale until you check them'),
  restores: (count) =>
    plural.en(count, 'restored world is not confirmed', 'restored worlds are not confirmed'),
  'world-backups': (count) => plural.en(count, 'world was not backed up', 'worlds were not backed up'),
  'restore-runs': (count) => plural.en(count, 'restore failed or waits', 'restores failed or wait'),
  'mod-failures': (count) => plural.en(count, 'change of mods failed', 'changes of mods failed'),
  'mod-updates': (count) => plural.en(count, 'mod update is available', 'mod updates are available'),
};

const pt: Things = {
  damage: () => 'O banco de dados está danificado',
  backups: () => 'Um backup falhou ou está atrasado',
  license: () => 'A licença precisa de você',
  deliveries: (count) =>
    plural.pt(count, 'entrega precisa de uma decisão', 'entregas precisam de uma decisão'),
  'shop-orders': (count) => plural.pt(count, 'pedido externo espera', 'pedidos externos esperam'),
  'shop-orders-left': (count) =>
    plural.pt(
      count,
      'pedido externo reembolsado deixou algo no jogo',
      'pedidos externos reembolsados deixaram algo no jogo',
    ),
  removals: (count) => plural.pt(count, 'remoção está atrasada', 'remoções estão atrasadas'),
  seasons: () => 'Uma temporada não está completa',
  approvals: (count) => plural.pt(count, 'produto precisa de aprovação', 'produtos precisam de aprovação'),
  'held-products': (count) =>
    plural.pt(
      count,
      'produto está fora de venda até você conferir',
      'produtos estão fora de venda até você conferir',
    ),
  restores: (count) =>
    plural.pt(count, 'mundo restaurado não foi confirmado', 'mundos restaurados não foram confirmados'),
  'world-backups': (count) => plural.pt(count, 'mundo ficou sem backup', 'mundos ficaram sem backup'),
  'restore-runs': (count) =>
    plural.pt(count, 'restauração falhou ou espera', 'restaurações falharam ou esperam'),
  'mod-failures': (count) => plural.pt(count, 'alteração de mods falhou', 'alterações de mods falharam'),
  'mod-updates': (count) =>
    plural.pt(count, 'atualização de mod disponível', 'atualizações de mods disponíveis'),
};

/** What waits for a person, in words: for the panel, events and Discord. */
export const waitingWords = defineWords(
  {
    things: en,
    /** The kinds, once nothing of them waits any more. */
    done: {
      damage: 'database damage',
      backups: 'backups',
      license: 'license',
      deliveries: 'deliveries to decide',
      'shop-orders': 'external orders',
      'shop-orders-left': 'refunded external orders',
      removals: 'overdue removals',
      seasons: 'season',
      approvals: 'approvals of products',
      'held-products': 'products off sale',
      restores: 'restored worlds',
      'world-backups': 'world backups',
      'restore-runs': 'restores under way',
      'mod-failures': 'failed changes of mods',
      'mod-updates': 'mod updates',
    } satisfies Record<WaitingKind, string>,
  },
  {
    things: pt,
    done: {
      damage: 'dano no banco de dados',
      backups: 'backups',
      license: 'licença',
      deliveries: 'entregas a decidir',
      'shop-orders': 'pedidos externos',
      'shop-orders-left': 'pedidos externos reembolsados',
      removals: 'remoções atrasadas',
      seasons: 'temporada',
      approvals: 'aprovações de produtos',
      'held-products': 'produtos fora de venda',
      restores: 'mundos restaurados',
      'world-backups': 'backups de mundos',
      'restore-runs': 'restaurações em andamento',
      'mod-failures': 'alterações de mods que falharam',
      'mod-updates': 'atualizações de mods',
    },
  },
);
