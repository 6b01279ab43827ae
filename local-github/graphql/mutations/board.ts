import {
  addItem,
  archiveItem,
  createField,
  deleteItem,
  moveItem,
  setFieldValue,
} from "../../actions/threads/projects.ts";
import type { FieldType, OptionColor, Project, ProjectItem } from "../../model/project.ts";
import { insufficientScopes, unresolvableNode } from "../resolve/graphql-problem.ts";
import { nodeOf } from "../resolve/node-lookup.ts";
import type { Fields } from "../resolve/resolver.ts";
import { canSee, canSeeProject, hasScope, requireGrant } from "../resolve/viewer.ts";
import type { Viewer } from "../resolve/viewer.ts";
import { storedValue, validated } from "./field-input.ts";
import type { WantedValue } from "./field-input.ts";
import type { Input } from "./input.ts";

interface ItemInput {
  readonly projectId: string;
  readonly itemId: string;
}

interface ValueInput extends ItemInput {
  readonly fieldId: string;
}

export const boardMutations: Fields<unknown> = {
  updateProjectV2ItemFieldValue: (
    _,
    { input }: Input<ValueInput & { readonly value: WantedValue }>,
    viewer,
  ) => {
    const { item, field } = valuePlace(viewer, input);
    validated(() => {
      const value = storedValue(field, input.value);
      setFieldValue(viewer.world, item, { field, value, actor: viewer.user });
    });
    return { projectV2Item: item };
  },
  clearProjectV2ItemFieldValue: (_, { input }: Input<ValueInput>, viewer) => {
    const { item, field } = valuePlace(viewer, input);
    setFieldValue(viewer.world, item, { field, value: null, actor: viewer.user });
    return { projectV2Item: item };
  },
  addProjectV2ItemById: (
    _,
    { input }: Input<{ readonly projectId: string; readonly contentId: string }>,
    viewer,
  ) => {
    const project = writableProject(viewer, input.projectId);
    const content = nodeOf(viewer, input.contentId, "issue", "pull-request");
    if (!canSee(viewer, content.repository)) throw unresolvableNode(input.contentId);
    return { item: addItem(viewer.world, project, { content, actor: viewer.user }) };
  },
  ...itemMutations(),
  createProjectV2Field: (_, { input }: Input<NewFieldInput>, viewer) => {
    const project = writableProject(viewer, input.projectId);
    const field = validated(() =>
      createField(viewer.world, project, {
        name: input.name,
        dataType: input.dataType,
        options: input.singleSelectOptions ?? [],
      }),
    );
    return { projectV2Field: field };
  },
};

interface NewFieldInput {
  readonly projectId: string;
  readonly name: string;
  readonly dataType: FieldType;
  readonly singleSelectOptions?:
    | readonly {
        readonly name: string;
        readonly color: OptionColor;
        readonly description: string;
      }[]
    | null;
}

function itemMutations(): Fields<unknown> {
  return {
    archiveProjectV2Item: (_, { input }: Input<ItemInput>, viewer) => {
      const item = writableItem(viewer, input);
      archiveItem(viewer.world, item, { archived: true, actor: viewer.user });
      return { item };
    },
    unarchiveProjectV2Item: (_, { input }: Input<ItemInput>, viewer) => {
      const item = writableItem(viewer, input);
      archiveItem(viewer.world, item, { archived: false, actor: viewer.user });
      return { item };
    },
    deleteProjectV2Item: (_, { input }: Input<ItemInput>, viewer) => {
      const item = writableItem(viewer, input);
      deleteItem(viewer.world, item, viewer.user);
      return { deletedItemId: item.nodeId };
    },
    updateProjectV2ItemPosition: (
      _,
      { input }: Input<ItemInput & { readonly afterId?: string | null }>,
      viewer,
    ) => {
      const item = writableItem(viewer, input);
      const after = input.afterId
        ? writableItem(viewer, { ...input, itemId: input.afterId })
        : null;
      moveItem(viewer.world, item, { after, actor: viewer.user });
      return {};
    },
  };
}

function writableProject(viewer: Viewer, id: string): Project {
  const project = nodeOf(viewer, id, "project");
  if (project.owner.kind === "organization") requireGrant(viewer, "organization_projects=write");
  else if (!canSeeProject(viewer, project)) throw unresolvableNode(id);
  else if (!hasScope(viewer, "project")) throw insufficientScopes("projectV2Item", "project");
  return project;
}

function writableItem(viewer: Viewer, { projectId, itemId }: ItemInput): ProjectItem {
  const project = writableProject(viewer, projectId);
  const item = nodeOf(viewer, itemId, "project-item");
  if (item.project !== project) throw unresolvableNode(itemId);
  return item;
}

function valuePlace(viewer: Viewer, input: ValueInput) {
  const item = writableItem(viewer, input);
  const field = nodeOf(viewer, input.fieldId, "project-field");
  if (field.project !== item.project) throw unresolvableNode(input.fieldId);
  return { item, field };
}
