import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const secretsWords = defineWords(
  {
    title: 'Secrets',
    description: 'Passwords and service keys are stored encrypted.',
    state: 'State',
    fine: (total: number) => `All ${plural.en(total, 'secret', 'secrets')} readable`,
    none: 'No secrets stored yet.',
    unreadable: (count: number) => `${plural.en(count, 'secret', 'secrets')} cannot be read.`,
    old: (count: number) =>
      `${plural.en(count, 'secret is', 'secrets are')} still on an old key. Castellan keeps that key until they are re-encrypted.`,
    keys: 'Keys',
    key: 'Key',
    count: 'Secrets',
    keyState: {
      current: 'In use',
      previous: 'Old, read-only',
      unknown: 'Missing',
    },
    keyMeaning: {
      current: 'New secrets are encrypted with it.',
      previous: 'Decrypts only. Castellan removes it when no secret uses it any more.',
      unknown: 'Not configured, so its secrets cannot be read.',
    },
    replaced: 'Replaced',
    faults: 'Cannot be read',
    secret: 'Secret',
    fault: { 'unknown-key': 'Key missing', damaged: 'Damaged' },
    remedy: {
      'unknown-key':
        'Put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS and restart the API; or enter the secret again where it belongs.',
      damaged: 'Enter it again where it belongs. It cannot be recovered in any other way.',
    },
    moreFaults: (count: string) => `And ${count} more.`,
    reencrypt: 'Re-encrypt all secrets',
    reencryptQuestion: 'Re-encrypt all secrets?',
    reencryptText:
      'Castellan reads every secret and encrypts it with the key in use. Everything keeps running; a secret that cannot be read stays unchanged. You can leave this page.',
    run: {
      title: 'Re-encryption',
      waiting: 'Queued',
      running: 'Running',
      done: 'Done',
      progress: (done: string, total: number) => `${done} of ${plural.en(total, 'secret', 'secrets')}`,
      failed: (count: number) => `Unreadable and left unchanged: ${plural.en(count, 'secret', 'secrets')}.`,
      asked: 'Started',
      ended: 'Ended',
      nothing: 'Nothing to do: all secrets already use the current key.',
      never: 'Secrets have never been re-encrypted.',
      leave: 'You can leave this page.',
    },
    rotation: {
      title: 'Change the encryption key',
      text: 'Do this if someone may have seen the key, or once a year. On the machine that runs Castellan, one command does everything, including a backup:',
      byHand: 'Or step by step:',
      steps: {
        backUp: 'Back up the database and the .env file in the data folder.',
        make: 'In .env, replace CONFIG_ENCRYPTION_KEY by a new key of 64 hexadecimal digits. This command creates one:',
        restart: 'Restart the API in System health or with this command:',
        reencrypt:
          'Come back to this page and choose “Re-encrypt all secrets”, or save every page with secrets again. Castellan then removes the old key by itself.',
      },
      kept: 'Nothing is lost in between: Castellan keeps the old key beside .env, in encryption-keys.json, for as long as a secret uses it.',
      stolen:
        'If someone has stolen an old key, destroy all old keys at once. Secrets that still use one are then lost:',
    },
  },
  {
    title: 'Segredos',
    description: 'Senhas e chaves de serviços ficam criptografadas.',
    state: 'Estado',
    fine: (total: number) => `${plural.pt(total, 'segredo legível', 'segredos legíveis')}`,
    none: 'Nenhum segredo guardado ainda.',
    unreadable: (count: number) =>
      `${plural.pt(count, 'segredo não pode ser lido', 'segredos não podem ser lidos')}.`,
    old: (count: number) =>
      `${plural.pt(count, 'segredo ainda está', 'segredos ainda estão')} numa chave antiga. O Castellan guarda essa chave até que tudo seja criptografado de novo.`,
    keys: 'Chaves',
    key: 'Chave',
    count: 'Segredos',
    keyState: {
      current: 'Em uso',
      previous: 'Antiga, só para leitura',
      unknown: 'Ausente',
    },
    keyMeaning: {
      current: 'Segredos novos são criptografados com ela.',
      previous: 'Só descriptografa. O Castellan a remove quando nenhum segredo a usa mais.',
      unknown: 'Não está configurada, por isso os segredos dela não podem ser lidos.',
    },
    replaced: 'Trocada',
    faults: 'Não podem ser lidos',
    secret: 'Segredo',
    fault: { 'unknown-key': 'Falta a chave', damaged: 'Danificado' },
    remedy: {
      'unknown-key':
        'Coloque a chave antiga em CONFIG_ENCRYPTION_KEY_PREVIOUS e reinicie a API; ou digite o segredo de novo no lugar dele.',
      damaged: 'Digite-o de novo no lugar dele. Não há outra forma de recuperá-lo.',
    },
    moreFaults: (count: string) => `E mais ${count}.`,
    reencrypt: 'Criptografar todos de novo',
    reencryptQuestion: 'Criptografar todos os segredos de novo?',
    reencryptText:
      'O Castellan lê cada segredo e o criptografa com a chave em uso. Tudo continua rodando; um segredo que não pode ser lido fica como está. Você pode sair desta página.',
    run: {
      title: 'Nova criptografia',
      waiting: 'Na fila',
      running: 'Em andamento',
      done: 'Concluída',
      progress: (done: string, total: number) => `${done} de ${plural.pt(total, 'segredo', 'segredos')}`,
      failed: (count: number) => `Ilegíveis, sem alteração: ${plural.pt(count, 'segredo', 'segredos')}.`,
      asked: 'Início',
      ended: 'Fim',
      nothing: 'Nada a fazer: todos os segredos já usam a chave atual.',
      never: 'Os segredos ainda não foram criptografados de novo.',
      leave: 'Você pode sair desta página.',
    },
    rotation: {
      title: 'Trocar a chave de criptografia',
      text: 'Faça isto se alguém pode ter visto a chave, ou uma vez por ano. Na máquina que roda o Castellan, um comando faz tudo, inclusive um backup:',
      byHand: 'Ou passo a passo:',
      steps: {
        backUp: 'Faça um backup do banco de dados e do arquivo .env na pasta de dados.',
        make: 'No .env, troque CONFIG_ENCRYPTION_KEY por uma chave nova de 64 dígitos hexadecimais. Este comando cria uma:',
        restart: 'Reinicie a API em Saúde do sistema ou com este comando:',
        reencrypt:
          'Volte a esta página e escolha “Criptografar todos de novo”, ou salve de novo cada página com segredos. O Castellan então remove a chave antiga.',
      },
      kept: 'Nada se perde no caminho: o Castellan guarda a chave antiga ao lado do .env, em encryption-keys.json, enquanto algum segredo a usar.',
      stolen:
        'Se alguém roubou uma chave antiga, destrua já todas as chaves antigas. Segredos que ainda usam uma delas se perdem:',
    },
  },
);
