import { defineWords } from '#contracts/kernel/words.ts';

export const keysWords = defineWords(
  {
    title: 'Signing keys',
    caption: 'Signing keys, in order of use',
    head: { number: 'No.', key: 'Key', state: 'State', made: 'Created', since: 'Signs since', act: 'Action' },
    empty: 'No signing keys yet.',
    states: {
      next: 'next',
      active: 'active',
      retiring: 'retiring',
      retired: 'retired',
      struck: 'revoked',
    },
    rotate: 'Rotate keys',
    rotateMeaning:
      'The next key signs from now on, and a new one is created to follow it. Tokens signed by the current key stay valid. You don’t have to change anything on installations.',
    tooEarly: (from: string) =>
      `The next key has not been published long enough. You can rotate from ${from}. In an emergency, run this on the portal’s machine: portal key rotate --now`,
    named: (number: number) => `key ${number}`,
    stale: 'The key’s state no longer allows this. The list below is up to date.',
    steps: {
      retire: {
        label: 'Retire',
        title: (number: number) => `Retire key ${number}`,
        act: 'Retire key',
        meaning: 'This destroys the private key. Its tokens still prove the identity of installations.',
      },
      strike: {
        label: 'Revoke',
        title: (number: number) => `Revoke key ${number}`,
        act: 'Revoke key',
        meaning:
          'Use this for a stolen key. Its private key is destroyed, its tokens become invalid, and every installation has to activate again. An installation that knows no later key needs a new build, or LICENSE_SERVER_PUBLIC_KEY in its settings. This cannot be undone.',
      },
    },
  },
  {
    title: 'Chaves de assinatura',
    caption: 'Chaves de assinatura, em ordem de uso',
    head: {
      number: 'Nº',
      key: 'Chave',
      state: 'Estado',
      made: 'Criada',
      since: 'Assina desde',
      act: 'Ação',
    },
    empty: 'Nenhuma chave de assinatura ainda.',
    states: {
      next: 'próxima',
      active: 'ativa',
      retiring: 'em retirada',
      retired: 'aposentada',
      struck: 'revogada',
    },
    rotate: 'Trocar chaves',
    rotateMeaning:
      'A próxima chave passa a assinar, e uma nova é criada para sucedê-la. Os tokens assinados pela chave atual continuam válidos. Não é preciso mudar nada nas instalações.',
    tooEarly: (from: string) =>
      `A próxima chave ainda não foi publicada por tempo suficiente. Você pode trocar a partir de ${from}. Em uma emergência, execute na máquina do portal: portal key rotate --now`,
    named: (number: number) => `chave ${number}`,
    stale: 'O estado da chave não permite mais isso. A lista abaixo está atualizada.',
    steps: {
      retire: {
        label: 'Aposentar',
        title: (number: number) => `Aposentar a chave ${number}`,
        act: 'Aposentar chave',
        meaning: 'Isto destrói a chave privada. Os tokens dela ainda comprovam a identidade das instalações.',
      },
      strike: {
        label: 'Revogar',
        title: (number: number) => `Revogar a chave ${number}`,
        act: 'Revogar chave',
        meaning:
          'Use para uma chave roubada. A chave privada é destruída, os tokens dela se tornam inválidos, e toda instalação precisa ser ativada de novo. Uma instalação que não conhece uma chave posterior precisa de uma nova versão, ou de LICENSE_SERVER_PUBLIC_KEY em suas configurações. Isto não pode ser desfeito.',
      },
    },
  },
);
