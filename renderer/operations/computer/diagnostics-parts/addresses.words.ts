import { defineWords } from '#contracts/kernel/words.ts';

export const addressesWords = defineWords(
  {
    title: 'Internet connections',
    text: 'Tests each address on the internet that Castellan uses, from this computer. No password, key or token is sent.',
    service:
      'This tests as your account. Windows Services run with their own, which may have another proxy: castellan diagnostics, run as administrator, tests with their settings.',
    test: 'Test connections',
    again: 'Test again',
    progress: (done: number, all: number) => `${done} of ${all} tested`,
    allWell: 'All addresses were reached.',
    someFail: (count: number) =>
      count === 1 ? '1 address was not reached.' : `${count} addresses were not reached.`,
    names: {
      proxy: 'Proxy',
      'license-portal': 'License portal',
      discord: 'Discord',
      'discord-gateway': 'Discord, live connection',
      modrinth: 'Modrinth (mods)',
      curseforge: 'CurseForge (mods)',
      steam: 'Steam (mods)',
      updates: 'Updates',
      'public-address': 'Your public address',
    },
    waiting: 'Not tested yet',
    testing: 'Testing …',
    reached: 'Reached',
    failed: 'Not reached',
    gone: 'No longer used',
    direct: 'Directly',
    through: (proxy: string) => `Through the proxy ${proxy}`,
    took: (ms: string) => `${ms} ms`,
    signedBy: (name: string) => `Certificate signed by ${name}`,
    sources: {
      bundled: 'a public authority',
      system: 'trusted by this computer’s store',
      'own-file': 'trusted by TRUSTED_CA_FILE',
    },
    clockAhead: (time: string) => `This computer’s clock is ${time} ahead of it. Set the clock.`,
    clockBehind: (time: string) => `This computer’s clock is ${time} behind it. Set the clock.`,
    passedOver: 'Reached without the proxy that this computer names:',
    unreadProxy: {
      script: 'A script in Windows’ settings chooses the proxy, but Castellan could not run it.',
      detection: 'Windows is set to find the proxy by itself, but Castellan could not do the same.',
      socks: 'This computer names a SOCKS proxy, which Castellan cannot use. Set an HTTP proxy.',
    },
  },
  {
    title: 'Conexões com a internet',
    text: 'Testa cada endereço na internet que o Castellan usa, a partir deste computador. Nenhuma senha, chave ou token é enviado.',
    service:
      'Este teste usa a sua conta. Os Serviços do Windows usam a deles, que pode ter outro proxy: castellan diagnostics, executado como administrador, testa com as configurações deles.',
    test: 'Testar as conexões',
    again: 'Testar de novo',
    progress: (done: number, all: number) => `${done} de ${all} testados`,
    allWell: 'Todos os endereços foram alcançados.',
    someFail: (count: number) =>
      count === 1 ? '1 endereço não foi alcançado.' : `${count} endereços não foram alcançados.`,
    names: {
      proxy: 'Proxy',
      'license-portal': 'Portal de licenças',
      discord: 'Discord',
      'discord-gateway': 'Discord, conexão ao vivo',
      modrinth: 'Modrinth (mods)',
      curseforge: 'CurseForge (mods)',
      steam: 'Steam (mods)',
      updates: 'Atualizações',
      'public-address': 'Seu endereço público',
    },
    waiting: 'Ainda não testado',
    testing: 'Testando …',
    reached: 'Alcançado',
    failed: 'Não alcançado',
    gone: 'Não é mais usado',
    direct: 'Diretamente',
    through: (proxy: string) => `Pelo proxy ${proxy}`,
    took: (ms: string) => `${ms} ms`,
    signedBy: (name: string) => `Certificado assinado por ${name}`,
    sources: {
      bundled: 'uma autoridade pública',
      system: 'confiável segundo o repositório deste computador',
      'own-file': 'confiável segundo o TRUSTED_CA_FILE',
    },
    clockAhead: (time: string) =>
      `O relógio deste computador está ${time} adiantado em relação a ele. Acerte o relógio.`,
    clockBehind: (time: string) =>
      `O relógio deste computador está ${time} atrasado em relação a ele. Acerte o relógio.`,
    passedOver: 'Alcançado sem o proxy que este computador indica:',
    unreadProxy: {
      script:
        'Um script nas configurações do Windows escolhe o proxy, mas o Castellan não conseguiu executá-lo.',
      detection: 'O Windows procura o proxy automaticamente, mas o Castellan não conseguiu fazer o mesmo.',
      socks:
        'Este computador indica um proxy SOCKS, que o Castellan não consegue usar. Configure um proxy HTTP.',
    },
  },
);
