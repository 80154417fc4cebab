import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const overviewWords = defineWords(
  {
    title: 'Overview',
    issue: 'Issue license',
    undecided: (count: number) => `${plural.en(count, 'purchase needs', 'purchases need')} a decision`,
    since: 'since',
    counting: 'Counting licenses. Reload the page in a moment.',
    figures: {
      active: 'Active licenses',
      bound: 'Bound to a machine',
      inGrace: 'In grace period',
      expired: 'Expired',
      suspended: 'Suspended',
      revoked: 'Revoked',
    },
    counted: (moment: string) =>
      `Counted on ${moment}. In grace period: active, and its machine has not checked the license for more than 25 hours.`,
    checks: (hours: number) => `Checks per hour, last ${hours} hours`,
    checksNote: 'Up to one minute behind. If a portal process is killed, its last minute is lost.',
    noChecks: 'No installation checked its license in this period.',
    hour: 'Hour (UTC)',
    outcomes: { renewed: 'Renewed', refused: 'Rejected', limited: 'Over the limit' },
    versions: 'Versions in use',
    versionsCaption: 'Versions of active licenses, most frequent first',
    version: 'Version',
    machines: 'Machines',
    share: 'Share',
    noVersions: 'No license is bound to a machine yet.',
  },
  {
    title: 'Visão geral',
    issue: 'Emitir licença',
    undecided: (count: number) => `${plural.pt(count, 'compra precisa', 'compras precisam')} de uma decisão`,
    since: 'desde',
    counting: 'Contando as licenças. Recarregue a página em instantes.',
    figures: {
      active: 'Licenças ativas',
      bound: 'Vinculadas a uma máquina',
      inGrace: 'Em carência',
      expired: 'Expiradas',
      suspended: 'Suspensas',
      revoked: 'Revogadas',
    },
    counted: (moment: string) =>
      `Contagem de ${moment}. Em carência: ativas, em máquinas que não verificam a licença há mais de 25 horas.`,
    checks: (hours: number) => `Verificações por hora, últimas ${hours} horas`,
    checksNote:
      'Até um minuto de atraso. Se um processo do portal for encerrado à força, o último minuto dele se perde.',
    noChecks: 'Nenhuma instalação verificou a licença neste período.',
    hour: 'Hora (UTC)',
    outcomes: { renewed: 'Renovadas', refused: 'Rejeitadas', limited: 'Acima do limite' },
    versions: 'Versões em uso',
    versionsCaption: 'Versões das licenças ativas, da mais frequente à menos frequente',
    version: 'Versão',
    machines: 'Máquinas',
    share: 'Parcela',
    noVersions: 'Nenhuma licença vinculada a uma máquina ainda.',
  },
);
