import { t } from '#webview/text/words';
import { Button } from './buttons';
import { usePort } from './port';
import { Center, Group, Row } from './welcome';

/** Nothing can begin without a folder: the ways to one. */
export function NoFolder() {
  const { post } = usePort();
  return (
    <Center>
      <div class="empty-text">
        <h2>{t('No folder is open')}</h2>
        <p>{t('Belay works in one folder and keeps its checkpoints with it.')}</p>
        <div class="button-row">
          <Button primary onPress={() => post({ type: 'action', action: 'open-folder' })}>
            {t('Open Folder…')}
          </Button>
          <Button onPress={() => post({ type: 'action', action: 'open-sample' })}>
            {t('Open Sample Project')}
          </Button>
        </div>
      </div>
    </Center>
  );
}

/** A workspace of several folders: the person says which one Belay works in. */
export function ChooseFolder({ names }: { readonly names: readonly string[] }) {
  const { post } = usePort();
  return (
    <Center>
      <div class="empty-text">
        <h2>{t('Choose a folder')}</h2>
        <p>
          {t(
            'This workspace has several folders. A session works in one of them and keeps its checkpoints with it.',
          )}
        </p>
      </div>
      <Group title={t('Folders')}>
        {names.map((name) => (
          <Row
            key={name}
            icon="folder"
            label={name}
            onPress={() => post({ type: 'action', action: 'choose-folder', folder: name })}
          />
        ))}
      </Group>
    </Center>
  );
}
